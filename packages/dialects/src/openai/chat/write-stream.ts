import type { ReplyWriter, WriteContext } from '../../canonical/codec.ts'
import type { PartStart, ReplyEvent, ReplyStart } from '../../canonical/event.ts'
import type { Citation, Part } from '../../canonical/part.ts'
import type { JsonObject } from '../../json.ts'
import type { Usage } from '../../usage.ts'
import { DONE, frame, usageChunk, usageObject, type ChunkHead } from '../chunks.ts'
import type { ErrorRequest } from '../../errors/render-error.ts'
import { streamError } from '../stream-error.ts'
import { writeCallSignature } from './call-signature.ts'
import { writeEnd } from './ends.ts'
import { reasoningDetail } from './reasoning.ts'
import { textWithImages } from '../../canonical/text-with-images.ts'
import { replyId, writeCitations, writeLogprob } from './write-reply.ts'

/** Writes chat completion chunks, followed by `[DONE]`. */
export class ChatStreamWriter implements ReplyWriter {
  readonly #context: WriteContext
  readonly #choices = new Map<number, ChoiceState>()
  #head: ChunkHead
  #usage: Usage | undefined

  constructor(context: WriteContext) {
    this.#context = context
    this.#head = {
      id: replyId('', context),
      object: 'chat.completion.chunk',
      created: context.nowSeconds,
      model: context.model,
    }
  }

  push(event: ReplyEvent): readonly Buffer[] {
    if (event.type === 'reply-start') this.#start(event)
    else if (event.type === 'usage') this.#usage = event.usage
    else if (event.type === 'reply-end') return [...this.#usageChunk(), DONE]
    else if (event.type !== 'error') return this.#inChoice(event)
    return []
  }

  #start({ id, createdSeconds = this.#head.created }: ReplyStart): void {
    this.#head = { ...this.#head, id: replyId(id, this.#context), created: createdSeconds }
  }

  fail(request: ErrorRequest): readonly Buffer[] {
    return [streamError(request)]
  }

  #usageChunk(): readonly Buffer[] {
    if (!this.#context.wantsUsage || this.#usage === undefined) return []
    return [frame(usageChunk(this.#head, usageObject(this.#usage)))]
  }

  #inChoice(event: EventInChoice): readonly Buffer[] {
    const known = this.#choices.get(event.choice)
    const state = known ?? { calls: 0, details: 0, part: undefined, said: 0, from: 0, citations: [] }
    this.#choices.set(event.choice, state)
    const role = known === undefined ? [this.#chunk(event.choice, { role: 'assistant', content: '' })] : []
    if (event.type === 'choice-end') {
      return [...role, this.#chunk(event.choice, {}, { finish_reason: writeEnd(event.end) })]
    }
    const delta = event.type === 'part-start' ? opened(state, event) : changed(state, event)
    return delta === undefined
      ? role
      : [...role, this.#chunk(event.choice, delta, { logprobs: logprobsOf(event) ?? null })]
  }

  #chunk(index: number, delta: JsonObject, more: JsonObject = {}): Buffer {
    return frame({ ...this.#head, choices: [{ index, delta, logprobs: null, finish_reason: null, ...more }] })
  }
}

type EventInChoice = Extract<ReplyEvent, { choice: number }>

interface ChoiceState {
  calls: number
  details: number
  /** Number of characters of the content so far, and the position at which the open part began. */
  said: number
  from: number
  /** Citations of the open part; their positions are only known at its end. */
  citations: Citation[]
  /** The open part, with its text so far if the text must be repeated in full at its end. */
  part: Part | undefined
}

function opened(state: ChoiceState, { opening }: PartStart): JsonObject | undefined {
  state.part = opening
  if (opening.type === 'tool-call') {
    const { id, name, kind, signature } = opening
    const index = state.calls++
    const body = kind === 'custom' ? { custom: { name, input: '' } } : { function: { name, arguments: '' } }
    return { tool_calls: [{ index, id, type: kind, ...body, ...writeCallSignature(signature) }] }
  }
  if (opening.type === 'redacted-reasoning') return detail(state, opening)
  const text = textWithImages(opening)
  state.from = state.said
  state.said += text.length
  return text === '' ? undefined : { content: text }
}

type Change = Exclude<EventInChoice, { type: 'part-start' | 'choice-end' }>

function changed(state: ChoiceState, event: Change): JsonObject | undefined {
  const { part } = state
  switch (event.type) {
    case 'text-delta':
      return textDelta(state, event.text)
    case 'arguments-delta': {
      const isCustom = part?.type === 'tool-call' && part.kind === 'custom'
      const body = isCustom ? { custom: { input: event.text } } : { function: { arguments: event.text } }
      return { tool_calls: [{ index: state.calls - 1, ...body }] }
    }
    case 'audio-delta':
      return { audio: { id: 'audio_0', data: event.base64, transcript: event.transcript } }
    case 'citation-delta':
      state.citations.push(event.citation)
      break
    case 'signature-delta':
      return part?.type === 'reasoning' ? detail(state, { ...part, signature: event.signature }) : undefined
    case 'part-end':
      state.part = undefined
      return cited(state)
  }
  return undefined
}

function cited(state: ChoiceState): JsonObject | undefined {
  const { citations, from, said } = state
  state.citations = []
  const annotations = writeCitations(citations, { from, length: said - from })
  return annotations.length === 0 ? undefined : { annotations }
}

function textDelta(state: ChoiceState, text: string): JsonObject {
  const { part } = state
  if (part?.type === 'reasoning') {
    state.part = { ...part, text: part.text + text }
    return { reasoning_content: text }
  }
  if (part?.type === 'refusal') return { refusal: text }
  state.said += text.length
  return { content: text }
}

/**
 * The detail is sent once, at the end and with the full text, because a signature is only valid together with
 * its text.
 */
function detail(state: ChoiceState, part: Part): JsonObject | undefined {
  const written = reasoningDetail(part, state.details)
  if (written === undefined) return undefined
  state.details++
  return { reasoning_details: [written] }
}

function logprobsOf(event: EventInChoice): JsonObject | undefined {
  if (event.type !== 'text-delta' || event.logprobs === undefined) return undefined
  return { content: event.logprobs.map(writeLogprob), refusal: null }
}
