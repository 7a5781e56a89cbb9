import { bucketOf } from '@tollgate/kit/buckets'
import type { Clock } from '@tollgate/kit/clock'
import type { Traffic, TrafficError } from '../ports/channel-insight.ts'
import type { AttemptFailure } from './stations/attempt/failure.ts'

const ERRORS_KEPT = 5
const DETAIL_CHARACTERS = 200

/** Counts the results of attempts per channel, until the figures are taken. */
export class ChannelTraffic {
  readonly #clock: Pick<Clock, 'nowMs'>
  #channels = new Map<number, Counting>()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  succeeded(channelId: number, firstByteMs: number | undefined): void {
    const counting = this.#of(channelId)
    counting.succeeded++
    if (firstByteMs === undefined) return
    const bucket = bucketOf(firstByteMs)
    counting.firstBytes.set(bucket, (counting.firstBytes.get(bucket) ?? 0) + 1)
  }

  /** Errors caused by the caller are not counted. */
  failed(channelId: number, { blame, status, code, detail }: AttemptFailure): void {
    if (blame === 'caller' || (blame === 'upstream' && status === 400)) return
    const counting = this.#of(channelId)
    counting.failed++
    const error = { at_ms: this.#clock.nowMs(), status, code, detail: detail.slice(0, DETAIL_CHARACTERS) }
    counting.errors = [...counting.errors, error].slice(-ERRORS_KEPT)
  }

  /** The figures not taken yet. */
  peek(): readonly Traffic[] {
    return [...this.#channels.values()]
  }

  take(): readonly Traffic[] {
    const taken = this.peek()
    this.#channels = new Map()
    return taken
  }

  #of(channelId: number): Counting {
    const known = this.#channels.get(channelId)
    if (known) return known
    const fresh = { channelId, succeeded: 0, failed: 0, firstBytes: new Map(), errors: [] }
    this.#channels.set(channelId, fresh)
    return fresh
  }
}

interface Counting {
  readonly channelId: number
  succeeded: number
  failed: number
  readonly firstBytes: Map<number, number>
  errors: readonly TrafficError[]
}
