import type { IncomingMessage } from 'node:http'
import type { Writable } from 'node:stream'
import type { Clock } from '@tollgate/kit/clock'
import { requestId } from '@tollgate/kit/ids'
import type { CallerDialect } from '@tollgate/dialects/canonical/codec'
import type { RepairName } from '@tollgate/dialects/canonical/repairs'
import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { Language } from '@tollgate/problems/problem'
import { requestLanguage } from '@tollgate/problems/request-language'
import type { FetchedMedium } from '@tollgate/providers/define/media'
import type { Dispatcher } from 'undici'
import type { WebSocket } from 'ws'
import type { AnswerRoom } from './answers/answer-rooms.ts'
import type { PieceWriter } from './answers/piece-writer.ts'
import type { BodyLease } from './stations/admit/body-budget.ts'
import type { CountedCall } from './stations/admit/rates.ts'
import type { CountedTokens } from './stations/admit/token-rates.ts'

/**
 * One client request in the relay. It carries what every station needs: both ends of the connection, times,
 * the attempts so far, and whether the caller has hung up. Results of a station are passed on in its return
 * value.
 */
export class Call {
  readonly id: string
  readonly request: IncomingMessage
  readonly response: CallerResponse
  /** The caller's websocket in a realtime session; then nothing is ever written to `response`. */
  readonly socket: WebSocket | undefined
  /** The WebSocket connection through which the call came, with others before and after it. */
  readonly connection: string | undefined
  /** The only channel that may serve the call, because its vendor keeps the response that the call continues. */
  readonly onlyChannel: number | undefined
  /** The sockets to vendors that calls of the same WebSocket connection share. */
  readonly sockets: CallSockets | undefined
  /** Wall time, for records. */
  readonly startedMs: number
  /** Monotonic time, for durations. */
  readonly startedAt: number
  readonly language: Language
  /** The dialect of the caller, in which errors and comments are written. */
  readonly dialect: CallerDialect
  /**
   * Whether pages of other sites may read the response: true for calls with a token, false for those with a
   * console session.
   */
  readonly isCrossOrigin: boolean
  /** The call's place in its user's count of successes, as long as it can still succeed. */
  counted: CountedCall | undefined
  /** Bytes that the body has taken from the budget; returned when the call ends. */
  lease: BodyLease | undefined
  /** What the answer of the latest attempt holds; given back when the caller has everything. */
  room: AnswerRoom | undefined
  /** The tokens counted in advance against the token's limit, to be corrected when the usage is known. */
  countedTokens: CountedTokens | undefined
  /** Every attempt so far, in order. */
  readonly trail: AttemptNote[] = []

  /** Paths of members that were taken out of the request, whatever the attempt. */
  taken: readonly string[] = []

  /** Paths of members that nobody knows, in a task or in the frames of a session; at most 64. */
  unknownMembers: readonly string[] = []

  /** Names of request members that were not sent to the upstream in the last attempt. */
  dropped: readonly string[] = []

  /** What a conversion or a repair changed in the request of the last attempt. */
  repairs: readonly RepairName[] = []

  /** Signatures and encrypted reasoning that the last attempt sent to the upstream. */
  sentSeals: readonly string[] = []

  /** A request of the call was sent once more, because its connection had been closed before. */
  hasResent = false

  /** Lessons about the model that were applied to the last attempt. */
  lessons: readonly LessonName[] = []

  /** Media downloaded from addresses in the request, once an attempt needed them. */
  media: Map<string, Promise<FetchedMedium>> | undefined

  /** Kept for `Tracing`; absent where the call is not traced. */
  trace: object | undefined

  /** Headers of the vendor's response that the caller may see. */
  vendorHeaders: Readonly<Record<string, string>> = {}

  /** The vendor's own id of the request under way, or of the last one. */
  upstreamRequestId: string | undefined

  /** The shortest wait that an upstream of this call asked for. */
  waitMs: number | undefined

  /** What the call cost its caller, in currency, for the head of the response; set where that is reported. */
  cost: string | undefined

  /** Monotonic time at which the first byte of a response was sent to the caller. */
  firstByteAt: number | undefined
  /** Monotonic time of the last write to a stream, comments included. */
  wroteAt: number
  /** Frames queued for the caller and not sent yet; used only by the outlet. */
  unsent: Buffer[] = []
  /** Writes what is too much for one write; used only by the outlet. */
  pieces: PieceWriter | undefined
  /** Monotonic time at which the caller hung up. */
  goneAt: number | undefined
  /**
   * The attempt under way, which learns when the caller hangs up. An object and not a closure, because with
   * a closure here every call stays in memory until the next full garbage collection
   * (docs/reference/performance.md, "Memory of calls that ended").
   */
  exchange: { callerLeft(): void } | undefined

  constructor(input: CallInput) {
    const { request, response, clock, isCrossOrigin, dialect, socket } = input
    this.socket = socket
    this.connection = input.connection
    this.onlyChannel = input.onlyChannel
    this.sockets = input.sockets
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
    end.on('close', () => {
      if (response.writableFinished) return
      this.goneAt = clock.monotonicMs()
      this.exchange?.callerLeft()
    })
  }

  get isGone(): boolean {
    return this.goneAt !== undefined
  }

  /** Bytes of the response that the caller's socket has not taken yet. */
  get untakenBytes(): number {
    let bytes = this.response.writableLength + (this.pieces?.bytes ?? 0)
    for (const { length } of this.unsent) bytes += length
    return bytes
  }
}

export interface CallInput {
  readonly request: IncomingMessage
  readonly response: CallerResponse
  readonly clock: Clock
  readonly isCrossOrigin: boolean
  readonly dialect: CallerDialect
  readonly socket?: WebSocket
  readonly connection?: string
  readonly onlyChannel?: number | undefined
  readonly sockets?: CallSockets | undefined
}

/** Sends requests to vendors over WebSockets that outlive a call. */
export interface CallSockets {
  dispatcher(route: SocketRoute): Dispatcher
}

export interface SocketRoute {
  readonly channelId: number
  /** See `proxyAddress`. */
  readonly proxy: string | undefined
  /** Sends the request where the vendor has no WebSocket. */
  readonly http: Dispatcher
}

/** What stations use of the caller's response: an HTTP response, or that of one call of a WebSocket connection. */
export interface CallerResponse extends Writable {
  readonly headersSent: boolean
  readonly statusCode: number
  /** `headers`: a flat list of names and values. */
  writeHead(status: number, headers: string[]): unknown
}

/** One attempt on one channel, as the receipt shows it. */
export interface AttemptNote {
  readonly channelId: number
  /** Index of the channel's key, from 0. */
  readonly keyIndex: number
  /** The group in which the attempt was made. */
  readonly group: string
  /** `ok`, or the code of the failure. */
  readonly outcome: string
  readonly status: number
  readonly durationMs: number
  /** The vendor's own id of the request. */
  readonly upstreamRequestId?: string | undefined
  /** The request was sent twice: the vendor had closed the first connection. */
  readonly isResent?: true | undefined
  /** The lesson that this attempt applied, learned from the attempt before it. */
  readonly lesson?: LessonName | undefined
  /** The attempt left out signatures or encrypted reasoning that the attempt before it was refused for. */
  readonly isWithoutSeals?: true
}

/**
 * The number of channels tried in a group. A second attempt on the same channel, with a lesson or without what it
 * refused, is not counted.
 */
export function triesIn({ trail }: Pick<Call, 'trail'>, group: string): number {
  return trail.filter(
    (note) => note.group === group && note.lesson === undefined && note.isWithoutSeals !== true,
  ).length
}
