import { listAt, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { type CountedTokens, SideCount } from './side-count.ts'
import { AUDIO_TOKENS_PER_MINUTE } from './usage.ts'

/** An event of the caller that makes the upstream work, and that the upstream has not taken up yet. */
export interface SessionRequest {
  readonly type: 'answer' | 'transcript'
  /** The caller's name for the event, which an error about it repeats. */
  readonly eventId: string | undefined
  /** What an answer repeats of its request. */
  readonly metadata: string | undefined
  /** What the request itself gives the model to read. */
  readonly input: CountedTokens
  /** Whether the answer reads the conversation too, and belongs to it. */
  readonly readsConversation: boolean
  readonly askedAt: number
  /** An error that names no event came afterwards, so the upstream may have refused the request. */
  mayBeRefused: boolean
}

/** The requests that wait to be taken up, oldest first. */
export class SessionRequests {
  #waiting: readonly SessionRequest[] = []

  get size(): number {
    return this.#waiting.length
  }

  get answers(): readonly SessionRequest[] {
    return this.#waiting.filter(({ type }) => type === 'answer')
  }

  add(request: SessionRequest): void {
    this.#waiting = [...this.#waiting, request]
  }

  /** The request of an answer that has begun: the one with its metadata, otherwise the oldest one. */
  takeAnswer(metadata: string | undefined): SessionRequest | undefined {
    const { answers } = this
    return this.#take(answers.find((each) => each.metadata === metadata) ?? answers[0])
  }

  takeTranscript(): SessionRequest | undefined {
    return this.#take(this.#waiting.find(({ type }) => type === 'transcript'))
  }

  /** An error of the upstream ends the request that it names. One that names none ends none for certain. */
  refuse(eventId: string | undefined): void {
    if (eventId !== undefined) this.#take(this.#waiting.find((each) => each.eventId === eventId))
    else for (const request of this.#waiting) request.mayBeRefused ||= request.eventId === undefined
  }

  /** Requests from before this time were never taken up. */
  forgetBefore(time: number): void {
    if (this.#waiting.some(({ askedAt }) => askedAt < time))
      this.#waiting = this.#waiting.filter(({ askedAt }) => askedAt >= time)
  }

  #take(request: SessionRequest | undefined): SessionRequest | undefined {
    this.#waiting = this.#waiting.filter((each) => each !== request)
    return request
  }
}

/** Reads a `response.create`. */
export function readAnswerRequest(event: JsonObject, askedAt: number): SessionRequest {
  const response = recordAt(event, 'response') ?? {}
  const input = new SideCount(AUDIO_TOKENS_PER_MINUTE)
  input.read(textAt(response, 'instructions'))
  for (const item of recordsAt(response, 'input')) readItem(item, input)
  return {
    type: 'answer',
    eventId: textAt(event, 'event_id'),
    metadata: readMetadata(response),
    input: input.tokens,
    readsConversation: listAt(response, 'input').length === 0,
    askedAt,
    mayBeRefused: false,
  }
}

/** Text and audio of a conversation item. */
export function readItem(item: JsonObject, side: SideCount): void {
  for (const part of recordsAt(item, 'content')) {
    if (part['type'] === 'input_text') side.read(textAt(part, 'text'))
  }
  countAudio(item, side)
}

export function countAudio(item: JsonObject, side: SideCount): void {
  for (const part of recordsAt(item, 'content')) {
    if (part['type'] === 'input_audio') side.hear(textAt(part, 'audio')?.length ?? 0)
  }
}

/** In a form that can be compared; the upstream may return the members in another order. */
export function readMetadata(response: JsonObject): string | undefined {
  const metadata = recordAt(response, 'metadata')
  if (metadata === undefined) return undefined
  const entries = Object.entries(metadata).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify(entries)
}
