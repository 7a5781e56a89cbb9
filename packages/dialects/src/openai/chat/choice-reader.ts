import type { ReplyEvent } from '../../canonical/event.ts'
import type { Part, TokenLogprob } from '../../canonical/part.ts'
import type { ChoiceEnd } from '../../canonical/reply.ts'
import { recordAt, recordsAt, textAt, type JsonObject } from '../../json.ts'
import { readEnd } from './ends.ts'
import { ToolCallSerializer, type CallPiece } from './tool-call-serializer.ts'
import { textsInList } from './content-list.ts'
import { readCitation, readLogprobs } from './read-reply.ts'
import { readReasoning } from './reasoning.ts'

type Kind = 'text' | 'reasoning' | 'refusal' | 'audio' | 'call'

/**
 * Reads one choice of a stream into consecutive parts. Chunks do not mark the end of a part: a different type
 * of delta closes the open part. Tool calls may arrive interleaved; the queue puts them one after the other.
 */
export class ChoiceReader {
  readonly #choice: number
  readonly #calls: ToolCallSerializer
  #part = -1
  #open: Kind | undefined
  #end: ChoiceEnd | undefined
  #hasReasoning = false
  #hasEnded = false
  /** Content that arrived during a tool call; it is emitted after the call. */
  #late: JsonObject[] = []

  constructor(choice: number, replyId: string) {
    this.#choice = choice
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
    if (this.#hasEnded) return []
    this.#end = readEnd(choice['finish_reason']) ?? this.#end
    const delta = recordAt(choice, 'delta') ?? recordAt(choice, 'message') ?? {}
    if (!this.#calls.isBusy) return [...this.#said(choice, delta), ...this.#callsIn(delta)]
    this.#late.push(choice)
    return this.#callsIn(delta)
  }

  /** Closes the open part and emits the end of the choice. */
  finish(): readonly ReplyEvent[] {
    if (this.#hasEnded) return []
    this.#hasEnded = true
    const late = this.#late
    return [
      ...this.#pieces(this.#calls.finish()),
      ...late.flatMap((choice) => this.#said(choice, recordAt(choice, 'delta') ?? {})),
      ...this.#close(),
      { type: 'choice-end', choice: this.#choice, end: this.#endOf() },
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

  /** Some vendors report "stop" although the model called tools. */
  #endOf(): ChoiceEnd {
    const end = this.#end ?? { reason: 'other' as const, raw: '' }
    return end.reason === 'stop' && this.#calls.count > 0 ? { ...end, reason: 'tool-calls' } : end
  }

  #reasoning(delta: JsonObject): readonly ReplyEvent[] {
    const plain = textAt(delta, 'reasoning_content') ?? textAt(delta, 'reasoning')
    if (plain !== undefined) {
      this.#hasReasoning = true
      return [...this.#enter('reasoning', { type: 'reasoning', text: '' }), this.#textDelta(plain)]
    }
    return readReasoning(delta).flatMap((part) => this.#detail(part))
  }

  /** Redacted reasoning is a separate part; a signature belongs to the text before it. */
  #detail(part: Part): readonly ReplyEvent[] {
    if (part.type === 'redacted-reasoning') return this.#whole(part)
    if (part.type !== 'reasoning') return []
    const { signature, text, ...rest } = part
    // If reasoning text came in the plain member, the same text in the details is a repetition.
    const isNew = text !== '' && !this.#hasReasoning
    const opened = isNew ? [...this.#enter('reasoning', { ...rest, text: '' }), this.#textDelta(text)] : []
    if (signature === undefined || (opened.length === 0 && this.#open !== 'reasoning')) return opened
    return [...opened, { type: 'signature-delta', ...this.#place(), signature }]
  }

  #text(delta: JsonObject, choice: JsonObject): readonly ReplyEvent[] {
    const text = textAt(delta, 'content') ?? ''
    const logprobs = readLogprobs(recordAt(choice, 'logprobs'))
    const citations = recordsAt(delta, 'annotations').map(readCitation)
    if (text === '' && citations.length === 0) return []
    return [
      ...this.#enter('text', { type: 'text', text: '' }),
      ...(text === '' ? [] : [this.#textDelta(text, logprobs)]),
      ...citations.map((citation) => ({ type: 'citation-delta' as const, ...this.#place(), citation })),
    ]
  }

  #refusal(delta: JsonObject): readonly ReplyEvent[] {
    const text = textAt(delta, 'refusal')
    if (text === undefined) return []
    return [...this.#enter('refusal', { type: 'refusal', text: '' }), this.#textDelta(text)]
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
      { type: 'audio-delta', ...this.#place(), base64, transcript },
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
      if (piece.type === 'start') return this.#start('call', piece.call)
      if (piece.text === '') return []
      return [{ type: 'arguments-delta', ...this.#place(), text: piece.text }]
    })
  }

  #textDelta(text: string, logprobs?: readonly TokenLogprob[]): ReplyEvent {
    return { type: 'text-delta', ...this.#place(), text, logprobs }
  }

  #place() {
    return { choice: this.#choice, part: this.#part }
  }

  /** Continues the open part if it is of this kind; otherwise starts a new one. */
  #enter(kind: Kind, opening: Part): readonly ReplyEvent[] {
    return this.#open === kind ? [] : this.#start(kind, opening)
  }

  #start(kind: Kind, opening: Part): readonly ReplyEvent[] {
    const closed = this.#beforeOther(kind)
    this.#part++
    this.#open = kind
    return [...closed, { type: 'part-start', ...this.#place(), opening }]
  }

  /** Emits buffered calls before a part of another kind is opened. */
  #beforeOther(kind: Kind | undefined): readonly ReplyEvent[] {
    return [...(kind === 'call' ? [] : this.#pieces(this.#calls.finish())), ...this.#close()]
  }

  #whole(part: Part): readonly ReplyEvent[] {
    const closed = this.#beforeOther(undefined)
    this.#part++
    return [
      ...closed,
      { type: 'part-start', ...this.#place(), opening: part },
      { type: 'part-end', ...this.#place() },
    ]
  }

  #close(): readonly ReplyEvent[] {
    if (this.#open === undefined) return []
    this.#open = undefined
    return [{ type: 'part-end', ...this.#place() }]
  }
}

/** Converts a list of parts to the plain texts that nearly all vendors send. */
function plain(delta: JsonObject): JsonObject {
  const { text, thought } = textsInList(delta)
  return { ...delta, content: text, ...(thought !== '' && { reasoning_content: thought }) }
}
