import type { UpstreamError } from '../dialect.ts'
import type { ReplyEvent, ReplyStart } from './event.ts'
import { grown } from './grown-list.ts'
import type { Part } from './part.ts'
import type { ChoiceEnd, Reply, ReplyChoice } from './reply.ts'
import type { Usage } from '../usage.ts'

/** Collects a stream of events, in the order defined in `event.ts`, into one whole reply. */
export class ReplyCollector {
  readonly #choices = new Map<number, Choice>()
  #start: ReplyStart | undefined
  #usage: Usage | undefined
  /** Set if the stream ended with an `error` event. */
  error: UpstreamError | undefined
  /** Whether a `reply-end` event came. */
  isComplete = false

  push(event: ReplyEvent): void {
    if (event.type === 'reply-start') this.#start = event
    else if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'error') this.error = event.error
    else if (event.type === 'reply-end') this.isComplete = true
    else this.#inChoice(event)
  }

  /** The reply collected so far; a choice that has not ended gets the end reason `other`. */
  reply(): Reply {
    const { id = '', model = '', createdSeconds, serviceTier, usage } = this.#start ?? {}
    const choices = [...this.#choices].toSorted(([a], [b]) => a - b).map(([, choice]) => closed(choice))
    return {
      id,
      model,
      choices,
      createdSeconds,
      serviceTier,
      usage: this.#usage ?? usage,
    }
  }

  #inChoice(event: Extract<ReplyEvent, { choice: number }>): void {
    const choice: Choice = this.#choices.get(event.choice) ?? { parts: [], sounds: new Map(), end: undefined }
    this.#choices.set(event.choice, choice)
    if (event.type === 'choice-end') choice.end = event.end
    else if (event.type === 'part-start') choice.parts.push(event.opening)
    else if (event.type !== 'part-end') {
      const part = choice.parts[event.part]
      if (part === undefined) return
      if (event.type === 'audio-delta') hear(choice, event)
      choice.parts[event.part] = filled(part, event)
    }
  }
}

interface Choice {
  readonly parts: Part[]
  /** Audio data by part number, in the pieces in which it came. */
  readonly sounds: Map<number, string[]>
  end: ChoiceEnd | undefined
}

function closed({ parts, sounds, end }: Choice): ReplyChoice {
  return {
    parts: parts.map((part, at) => withSound(part, sounds.get(at))),
    end: end ?? { reason: 'other', raw: '' },
  }
}

function hear({ parts, sounds }: Choice, delta: Extract<Delta, { type: 'audio-delta' }>): void {
  const { part: at, base64 } = delta
  const part = parts[at]
  if (part?.type !== 'audio' || part.source.type !== 'data') return
  const pieces = sounds.get(at) ?? [part.source.base64]
  sounds.set(at, pieces)
  pieces.push(base64)
}

function withSound(part: Part, pieces: readonly string[] | undefined): Part {
  if (pieces === undefined || part.type !== 'audio' || part.source.type !== 'data') return part
  return { ...part, source: { ...part.source, base64: joinedBase64(pieces) } }
}

type Delta = Exclude<Extract<ReplyEvent, { part: number }>, { type: 'part-start' | 'part-end' }>

/** Returns the part extended by one delta; a delta that does not fit the part is ignored. */
function filled(part: Part, delta: Delta): Part {
  if (delta.type === 'text-delta') return withText(part, delta)
  if (delta.type === 'arguments-delta') {
    return part.type === 'tool-call' ? { ...part, arguments: part.arguments + delta.text } : part
  }
  if (delta.type === 'signature-delta') {
    const isSigned = part.type === 'reasoning' || part.type === 'tool-call'
    return isSigned ? { ...part, signature: delta.signature } : part
  }
  if (delta.type === 'citation-delta') {
    return part.type === 'text' ? { ...part, citations: grown(part.citations, [delta.citation]) } : part
  }
  return withAudio(part, delta)
}

function withText(part: Part, delta: Extract<Delta, { type: 'text-delta' }>): Part {
  if (part.type === 'text') {
    const logprobs = delta.logprobs === undefined ? part.logprobs : grown(part.logprobs, delta.logprobs)
    return { ...part, text: part.text + delta.text, logprobs }
  }
  const hasText = part.type === 'reasoning' || part.type === 'refusal'
  return hasText ? { ...part, text: part.text + delta.text } : part
}

function withAudio(part: Part, delta: Extract<Delta, { type: 'audio-delta' }>): Part {
  if (part.type !== 'audio' || part.source.type !== 'data') return part
  return { ...part, transcript: (part.transcript ?? '') + delta.transcript }
}

/**
 * Base64 pieces that end on a full group of three bytes can be concatenated as text; any others must be
 * decoded first.
 */
function joinedBase64(pieces: readonly string[]): string {
  const isWhole = pieces.slice(0, -1).every((piece) => !piece.endsWith('='))
  if (isWhole) return pieces.join('')
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
}
