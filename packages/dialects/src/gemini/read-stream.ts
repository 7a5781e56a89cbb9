import { endOfReply } from '../canonical/end-of-reply.ts'
import type { Frame, ReplyReader } from '../canonical/codec.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import type { Part, TokenLogprob } from '../canonical/part.ts'
import { PartSequence } from '../canonical/part-sequence.ts'
import type { UpstreamError, UsageReader } from '../dialect.ts'
import { parseObject, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import type { Usage } from '../usage.ts'
import { errorIn } from './error.ts'
import { readFinish } from './finish.ts'
import { readTokenLogprobs } from './logprobs.ts'
import { CallIds, readParts } from './read-parts.ts'
import { blocked, callPrefix, createdSeconds } from './read-reply.ts'
import { StreamGrounding } from './stream-grounding.ts'
import { Searches } from './searches.ts'

/** Reads a stream of `GenerateContentResponse` fragments, which ends with the connection. */
export class GeminiStreamReader implements ReplyReader {
  readonly #readUsage: UsageReader
  readonly #fallbackId: string
  readonly #candidates = new Map<number, CandidateReader>()
  #id: string | undefined
  #isOver = false
  #usage: Usage | undefined
  readonly #searches = new Searches()

  constructor(readUsage: UsageReader, fallbackId = '') {
    this.#readUsage = readUsage
    this.#fallbackId = fallbackId
  }

  get usageWithCounts(): Usage | undefined {
    return this.#usage
  }

  get choicesFinished(): number {
    let finished = 0
    for (const candidate of this.#candidates.values()) if (candidate.isFinished) finished++
    return finished
  }

  push(frame: Frame): readonly ReplyEvent[] {
    if (this.#isOver) return []
    const fragment = parseObject(frame.data) ?? firstOf(frame.data)
    if (fragment === undefined) return []
    const error = errorIn(fragment) ?? (this.#candidates.size === 0 ? blocked(fragment) : undefined)
    return error === undefined ? this.#fragment(fragment) : this.#fail(error)
  }

  /** Call when the connection has ended. If a candidate has no finish reason, the stream was cut off. */
  end(): readonly ReplyEvent[] {
    const candidates = [...this.#candidates.values()]
    const isWhole = candidates.length > 0 && candidates.every((candidate) => candidate.isFinished)
    if (this.#isOver || !isWhole) return []
    this.#isOver = true
    return [...candidates.flatMap((candidate) => candidate.end()), ...endOfReply(this.#usage)]
  }

  #fail(error: UpstreamError): readonly ReplyEvent[] {
    this.#isOver = true
    return [{ type: 'error', error }]
  }

  #fragment(fragment: JsonObject): readonly ReplyEvent[] {
    this.#searches.note(fragment)
    const usage = this.#readUsage(fragment) ?? this.#usage
    // Usage is cumulative over the fragments; searches are reported once, in any of them.
    this.#usage = usage && { ...usage, ...this.#searches.toolCalls }
    const events = this.#start(fragment)
    for (const candidate of recordsAt(fragment, 'candidates')) {
      const index = typeof candidate['index'] === 'number' ? candidate['index'] : 0
      events.push(...this.#candidate(index).read(candidate, fragment))
    }
    return events
  }

  #start(fragment: JsonObject): ReplyEvent[] {
    if (this.#id !== undefined) return []
    this.#id = textAt(fragment, 'responseId') ?? ''
    const model = textAt(fragment, 'modelVersion') ?? ''
    return [
      {
        type: 'reply-start',
        id: this.#id,
        model,
        createdSeconds: createdSeconds(fragment),
      },
    ]
  }

  #candidate(index: number): CandidateReader {
    const known = this.#candidates.get(index)
    if (known !== undefined) return known
    const opened = new CandidateReader(index, callPrefix(this.#id || this.#fallbackId, index))
    this.#candidates.set(index, opened)
    return opened
  }
}

/** Some of Google's gateways wrap errors in a list. */
function firstOf(data: string): JsonObject | undefined {
  return parseObject(data.trim().replace(/^\[/, '').replace(/\]$/, ''))
}

/** Reads one candidate: text fragments continue the open part; tool calls arrive complete. */
class CandidateReader {
  readonly #sequence: PartSequence
  readonly #ids: CallIds
  #finish: { readonly raw: string; readonly message: string | undefined } | undefined
  #hasCalls = false
  #logprobs: readonly TokenLogprob[] | undefined
  readonly #grounding = new StreamGrounding()

  constructor(index: number, prefix: string) {
    this.#sequence = new PartSequence(index)
    this.#ids = new CallIds(prefix)
  }

  get isFinished(): boolean {
    return this.#finish !== undefined
  }

  read(candidate: JsonObject, fragment: JsonObject): ReplyEvent[] {
    this.#grounding.note(candidate, fragment)
    this.#logprobs = readTokenLogprobs(candidate)
    const events = readParts(recordAt(candidate, 'content') ?? {}, this.#ids).flatMap((part) =>
      this.#part(part),
    )
    const raw = textAt(candidate, 'finishReason')
    if (raw !== undefined) this.#finish = { raw, message: textAt(candidate, 'finishMessage') }
    return this.#sequence.open === 'text' ? [...events, ...this.#cite()] : events
  }

  end(): ReplyEvent[] {
    const searches = this.#sequence.hasEnded ? [] : this.#grounding.searches()
    return [...searches.flatMap((search) => this.#sequence.whole(search)), ...this.#ended()]
  }

  #ended(): ReplyEvent[] {
    const { raw = '', message } = this.#finish ?? {}
    return this.#sequence.end(readFinish(raw, { hasCalls: this.#hasCalls, message }))
  }

  #part(part: Part): ReplyEvent[] {
    if (part.type === 'tool-call') {
      this.#hasCalls = true
      const opened = this.#sequence.enter('call', { ...part, arguments: '' })
      return [...opened, ...this.#sequence.arguments(part.arguments), ...this.#sequence.close()]
    }
    if (part.type === 'reasoning') return this.#reasoning(part)
    if (part.type !== 'text') return this.#sequence.whole(part)
    // A signature may be attached to a text fragment; it applies only to that fragment, which therefore
    // becomes a part of its own.
    if (part.extras !== undefined) return this.#marked(part)
    if (part.text === '') return []
    if (this.#sequence.open !== 'text') this.#grounding.begin()
    return [...this.#sequence.enter('text', { type: 'text', text: '' }), ...this.#text(part.text)]
  }

  #reasoning({ text, signature, ...rest }: Extract<Part, { type: 'reasoning' }>): ReplyEvent[] {
    return [
      ...this.#sequence.enter('reasoning', { ...rest, text: '' }),
      ...this.#sequence.text(text),
      // The signature ends the thought.
      ...(signature === undefined ? [] : [...this.#sequence.signature(signature), ...this.#sequence.close()]),
    ]
  }

  #marked(part: Extract<Part, { type: 'text' }>): ReplyEvent[] {
    this.#grounding.begin()
    return [
      ...this.#sequence.close(),
      ...this.#sequence.enter('text', { ...part, text: '' }),
      ...this.#text(part.text),
    ]
  }

  /** The log probabilities of a fragment go with its first text. */
  #text(text: string): ReplyEvent[] {
    this.#grounding.say(text)
    const logprobs = text === '' ? undefined : this.#logprobs
    if (logprobs !== undefined) this.#logprobs = undefined
    return this.#sequence.text(text, logprobs)
  }

  #cite(): ReplyEvent[] {
    return this.#grounding.citations().flatMap((citation) => this.#sequence.citation(citation))
  }
}
