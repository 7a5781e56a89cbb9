import type { Reading } from '@tollgate/dialects/dialect'
import type { RosterChannel } from '../books/books.ts'
import type { Failure } from './attempt/failure.ts'

/** How a held call ended. Settlement knows what to charge from this and from whether the caller is still there. */
export type Exit = Failed | Delivered

/** No attempt brought anything a caller could use. */
export interface Failed {
  readonly type: 'failed'
  readonly failure: Failure
}

/** An upstream answered, and its first bytes were handed on. */
export interface Delivered {
  readonly type: 'delivered'
  readonly ending: Ending
  readonly reading: Reading
  readonly channel: RosterChannel
  /** The model's name as it went out. */
  readonly upstreamModel: string
}

/**
 * `complete`: read to its end. `broken`: the upstream stopped early. `cut`: we ended it because the balance ended.
 * `cancelled`: we ended it for another reason, such as the drain limit after the caller left, or a stop of the gateway.
 */
export type Ending = 'complete' | 'broken' | 'cut' | 'cancelled'
