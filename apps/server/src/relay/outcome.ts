import type { Reading } from '@tollgate/dialects/dialect'
import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { RosterChannel } from '../snapshots/snapshots.ts'
import type { Failure } from './attempt/failure.ts'
import type { AnswerText } from './transcript/answer-text.ts'

/** How a held call ended. Settlement knows what to charge from this and from whether the caller is still there. */
export type Outcome = Failed | Delivered

/** No attempt brought anything a caller could use. */
export interface Failed {
  readonly type: 'failed'
  readonly failure: Failure
  /** How the refusal says that the model is asked. */
  readonly lesson?: { readonly name: LessonName; readonly model: string }
}

/** An upstream answered, and its first bytes were handed on. */
export interface Delivered extends Route {
  readonly type: 'delivered'
  readonly ending: StreamEnd
  readonly reading: Reading
}

/** Which way an answer came. */
export interface Route {
  readonly channel: RosterChannel
  /** The model's name as it went out. */
  readonly upstreamModel: string
  /** The operator's words were put before the caller's own system text. */
  readonly isSystemPromptOverwritten?: boolean
  /** What the channel's override changed of what the upstream charges, in words. */
  readonly overrideNotes?: readonly string[]
  /** The service tier it was asked for; what was counted here is paid at its price. */
  readonly serviceTier?: string
  /** Its text, where that is kept. */
  readonly heard?: AnswerText
}

/**
 * `complete`: read to its end. `broken`: the upstream stopped early. `cut`: we ended it because the balance ended.
 * `cancelled`: we ended it for another reason, such as the drain limit after the caller left, or a stop of the gateway.
 */
export type StreamEnd = 'complete' | 'broken' | 'cut' | 'cancelled'
