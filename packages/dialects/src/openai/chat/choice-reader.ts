import type { ReplyEvent } from '../../canonical/event.ts'
import type { Citation, Part } from '../../canonical/part.ts'
import { PartSequence } from '../../canonical/part-sequence.ts'
import { findCitedSearch } from '../../canonical/searches.ts'
import type { ChoiceEnd } from '../../canonical/reply.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../../json.ts'
import { readEnd } from './ends.ts'
import { ToolCallSerializer, type CallPiece } from './tool-call-serializer.ts'
import { textsInList } from './content-list.ts'
import { readCitation, readLogprobs } from './read-reply.ts'
import { readReasoning } from './reasoning.ts'

type Kind = 'text' | 'reasoning' | 'refusal' | 'audio'

/**
 * Reads one choice of a stream into consecutive parts. Chunks do not mark the end of a part: a different type
 * of delta closes the open part. Tool calls may arrive interleaved; the queue puts them one after the other.
 */
export class ChoiceReader {
  readonly #sequence: PartSequence
  readonly #calls: ToolCallSerializer
  #end: ChoiceEnd | undefined
  #hasReasoning = false
  readonly #citations: Citation[] = []
  /** Content that arrived during a tool call; it is emitted after the call. */
  #late: JsonObject[] = []

  constructor(choice: number, replyId: string) {
    this.#sequence = new PartSequence(choice)
    this.#calls = new ToolCallSerializer(replyId)
  }

  /**
   * Whether a finish reason was received. More deltas may still follow it, so the end is emitted only by
   * `finish`.
   */
  get isFinished(): boolean {
    return this.#end !== undefined
  }

  read(choice: JsonObject): readonly ReplyEvent[] {
    if (this.#sequence.hasEnded) return []
    this.#end = readEnd(choice['finish_reason']) ?? this.#end
    const delta = recordAt(choice, 'delta') ?? recordAt(choice, 'message') ?? {}
    if (!this.#calls.isBusy) return [...this.#said(choice, delta), ...this.#callsIn(delta)]
    this.#late.push(choice)
    return this.#callsIn(delta)
  }

  /** Closes the open part and emits the end of the choice. */
  finish(): readonly ReplyEvent[] {
    if (this.#sequence.hasEnded) return []
    const late = this.#late
    return [
      ...this.#callsLeft(),
      ...late.flatMap((choice) => this.#said(choice, recordAt(choice, 'delta') ?? {})),
      ...this.#searched(),
      ...this.#sequence.end(this.#endOf()),
    ]
  }

  #said(choice: JsonObject, reported: JsonObject): readonly ReplyEvent[] {
    const delta = Array.isArray(reported['content']) ? plain(reported) : reported
    return [
      ...this.#reasoning(delta),
      ...this.#text(delta, choice),
      ...this.#refusal(delta),
      ...this.#audio(delta),
    ]
  }

  /** Chat completions tell of a search by the pages that are cited. */
  #searched(): readonly ReplyEvent[] {
    const search = findCitedSearch(this.#citations, 'openai')
    return search === undefined ? [] : this.#sequence.whole(search)
  }

  /** Some vendors report "stop" although the model called tools. */
  #endOf(): ChoiceEnd {
    const end = this.#end ?? { reason: 'other' as const, raw: '' }
    return end.reason === 'stop' && this.#calls.count > 0 ? { ...end, reason: 'tool-calls' } : end
  }

  #reasoning(delta: JsonObject): readonly ReplyEvent[] {
    const plain = textAt(delta, 'reasoning_content') ?? textAt(delta, 'reasoning')
    if (plain !== undefined) {
      this.#hasReasoning = true
      return [...this.#enter('reasoning', { type: 'reasoning', text: '' }), ...this.#sequence.text(plain)]
    }
    return readReasoning(delta).flatMap((part) => this.#detail(part))
  }

  /** Redacted reasoning is a separate part; a signature belongs to the text before it. */
  #detail(part: Part): readonly ReplyEvent[] {
    if (part.type === 'redacted-reasoning') return [...this.#callsLeft(), ...this.#sequence.whole(part)]
    if (part.type !== 'reasoning') return []
    const { signature, text, ...rest } = part
    // If reasoning text came in the plain member, the same text in the details is a repetition.
    const isNew = text !== '' && !this.#hasReasoning
    const opened = isNew
      ? [...this.#enter('reasoning', { ...rest, text: '' }), ...this.#sequence.text(text)]
      : []
    if (signature === undefined || (opened.length === 0 && this.#sequence.open !== 'reasoning')) return opened
    return [...opened, ...this.#sequence.signature(signature)]
  }

  #text(delta: JsonObject, choice: JsonObject): readonly ReplyEvent[] {
    const text = textAt(delta, 'content') ?? ''
    const logprobs = readLogprobs(recordAt(choice, 'logprobs'))
    const citations = recordsAt(delta, 'annotations').map(readCitation)
    if (text === '' && citations.length === 0) return []
    this.#citations.push(...citations)
    return [
      ...this.#enter('text', { type: 'text', text: '' }),
      ...this.#sequence.text(text, logprobs),
      ...citations.flatMap((citation) => this.#sequence.citation(citation)),
    ]
  }

  #refusal(delta: JsonObject): readonly ReplyEvent[] {
    const text = textAt(delta, 'refusal')
    if (text === undefined) return []
    return [...this.#enter('refusal', { type: 'refusal', text: '' }), ...this.#sequence.text(text)]
  }

  #audio(delta: JsonObject): readonly ReplyEvent[] {
    const audio = recordAt(delta, 'audio')
    if (audio === undefined) return []
    const base64 = textAt(audio, 'data') ?? ''
    const transcript = textAt(audio, 'transcript') ?? ''
    if (base64 === '' && transcript === '') return []
    const source = { type: 'data' as const, mediaType: 'audio/pcm', base64: '' }
    return [
      ...this.#enter('audio', { type: 'audio', source }),
      ...this.#sequence.audio({ base64, transcript }),
    ]
  }

  #callsIn(delta: JsonObject): readonly ReplyEvent[] {
    const older = recordAt(delta, 'function_call')
    const calls = recordsAt(delta, 'tool_calls')
    const deltas = calls.length === 0 && older !== undefined ? [{ index: 0, function: older }] : calls
    return this.#pieces(deltas.flatMap((call, at) => this.#calls.push(call, at)))
  }

  #pieces(pieces: readonly CallPiece[]): readonly ReplyEvent[] {
    return pieces.flatMap((piece): readonly ReplyEvent[] => {
      if (piece.type === 'more') return this.#sequence.arguments(piece.text)
      return [...this.#sequence.close(), ...this.#sequence.enter('call', piece.call)]
    })
  }

  /** Continues the open part if it is of this kind; otherwise starts a new one, after the buffered calls. */
  #enter(kind: Kind, opening: Part): readonly ReplyEvent[] {
    if (this.#sequence.open === kind) return []
    return [...this.#callsLeft(), ...this.#sequence.enter(kind, opening)]
  }

  #callsLeft(): readonly ReplyEvent[] {
    return this.#pieces(this.#calls.finish())
  }
}

/** Converts a list of parts to the plain texts that nearly all vendors send. */
function plain(delta: JsonObject): JsonObject {
  const { text, thought } = textsInList(delta)
  return { ...delta, content: text, ...(thought !== '' && { reasoning_content: thought }) }
}
