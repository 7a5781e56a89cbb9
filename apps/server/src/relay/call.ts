import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@tollgate/kit/clock'
import { requestId } from '@tollgate/kit/ids'
import type { CallerDialect } from '@tollgate/dialects/canonical/codec'
import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { Language } from '@tollgate/kit/problem'
import { requestLanguage } from '@tollgate/kit/request-language'
import type { FetchedMedium } from '@tollgate/providers/build/media'
import type { WebSocket } from 'ws'
import type { BodyLease } from './admit/body-budget.ts'
import type { Caller } from './admit/caller.ts'
import type { CountedCall } from './admit/rates.ts'
import type { CountedTokens } from './admit/token-rates.ts'

/**
 * One client request on its way through the relay. It carries what every station needs: both ends of the wire, the
 * times, the trail of attempts and whether the caller is still there. What a station finds out travels in its result.
 */
export class Call {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The caller's end of a session; then nothing is ever written to `response`. */
  readonly socket: WebSocket | undefined
  /** Wall time, for records. */
  readonly startedMs: number
  /** Monotonic time, for durations. */
  readonly startedAt: number
  readonly language: Language
  /** Whose words the caller understands: errors and comments are told in them. */
  readonly dialect: CallerDialect
  /** Pages of other sites may read the answer: calls with a token, never those with a session. */
  readonly isCrossOrigin: boolean
  /** Filled in by admission, for the record of a call that is refused later. */
  caller: Caller | undefined
  asked: Asked | undefined
  /** Its place among the successes of its user, while it may still become one. */
  counted: CountedCall | undefined
  /** What its body has taken of the budget; ended with the call. */
  lease: BodyLease | undefined
  /** Its tokens in the count of its token, before it is known how many they are. */
  countedTokens: CountedTokens | undefined
  /** Every attempt so far, in order. */
  readonly trail: AttemptNote[] = []

  /** Members of the request that the upstream of the last attempt was not sent, by name. */
  dropped: readonly string[] = []

  /** What was learned of its model, and applied to the last attempt. */
  lessons: readonly LessonName[] = []

  /** What lies at addresses the caller gave, once it was needed. */
  media: Map<string, Promise<FetchedMedium>> | undefined

  /** Headers of the vendor whose answer is handed on, those that its caller may see. */
  vendorHeaders: Readonly<Record<string, string>> = {}

  /** Monotonic time of the first byte of an answer handed to the caller. */
  firstByteAt: number | undefined
  /** Monotonic time of the last write to a stream, comments included. */
  wroteAt: number
  /** Frames on their way to the caller that have not left yet; the outlet's own. */
  unsent: Buffer[] = []
  /** Monotonic time at which the caller hung up. */
  goneAt: number | undefined
  /**
   * The attempt under way, to be resumed when the caller hangs up. An object and no closure: with a closure here every
   * call outlives its end until the next full collection (docs/reference/performance.md, "Memory of calls that ended").
   */
  exchange: { resume(): void } | undefined

  constructor(input: CallInput) {
    const { request, response, clock, isCrossOrigin, dialect, socket } = input
    this.socket = socket
    this.dialect = dialect
    this.request = request
    this.response = response
    this.startedMs = clock.nowMs()
    this.startedAt = clock.monotonicMs()
    this.id = requestId(this.startedMs)
    this.wroteAt = this.startedAt
    this.isCrossOrigin = isCrossOrigin
    this.language = requestLanguage(request.headers)
    const end = socket ?? response
    end.once('close', () => {
      if (response.writableFinished) return
      this.goneAt = clock.monotonicMs()
      this.exchange?.resume()
    })
  }

  get isGone(): boolean {
    return this.goneAt !== undefined
  }
}

export interface Asked {
  readonly model: string
  readonly group: string
  readonly isStream: boolean
}

export interface CallInput {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly clock: Clock
  readonly isCrossOrigin: boolean
  readonly dialect: CallerDialect
  readonly socket?: WebSocket
}

/** One try on one channel, as the receipt shows it. */
export interface AttemptNote {
  readonly channelId: number
  /** Which of the channel's keys, counted from 0. */
  readonly keyIndex: number
  /** In which group the call was. */
  readonly group: string
  /** `ok`, or the code of the failure. */
  readonly outcome: string
  readonly status: number
  readonly durationMs: number
  /** The lesson of the attempt before it, which this one tried. */
  readonly lesson?: LessonName | undefined
}

/** How many channels of a group have tried; a second try in another form is none of its own. */
export function triesIn({ trail }: Pick<Call, 'trail'>, group: string): number {
  return trail.filter((note) => note.group === group && note.lesson === undefined).length
}
