import type { Reading } from '@tollgate/dialects/dialect'
import type { LessonName } from '@tollgate/dialects/traits/lessons'
import type { RosterChannel } from '../snapshots/snapshots.ts'
import type { AttemptFailure } from './stations/attempt/failure.ts'
import type { WholeAnswer } from './stations/deliver/outlet.ts'
import type { AnswerText } from './transcript/answer-text.ts'

/**
 * How a held call ended. Settlement computes the charge from this and from whether the caller is still
 * connected.
 */
export type Outcome = Failed | Delivered

/** No attempt produced anything usable for the caller. */
export interface Failed {
  readonly type: 'failed'
  readonly failure: AttemptFailure
  /** The lesson that the upstream's refusal taught about requests to this model. */
  readonly lesson?: TaughtLesson
  /** Signatures and encrypted reasoning that the upstream could not read. */
  readonly refusedSeals?: readonly string[]
}

export interface TaughtLesson {
  readonly name: LessonName
  /** The vendor's name of the model. */
  readonly model: string
}

/** An upstream responded. The caller has all of it but the rest, which is sent once the call is settled. */
export interface Delivered extends Route {
  readonly type: 'delivered'
  readonly ending: StreamEnd
  readonly reading: Reading
  /** A displaced call whose upstream had not begun to answer. */
  readonly isUnaccepted?: true
  /** Absent if the caller has everything. */
  readonly rest?: UnsentAnswer
}

/**
 * `error`: the connection breaks after the frames, which end with an error. `abort`: it breaks before the end of
 * the response, which has no form for an error. `failure`: nothing was sent, and the caller gets an error although the
 * call is charged.
 */
export type UnsentAnswer =
  | { readonly type: 'whole'; readonly answer: WholeAnswer }
  | { readonly type: 'frames' | 'error'; readonly frames: readonly Buffer[] }
  | { readonly type: 'bytes'; readonly bytes: Buffer }
  | { readonly type: 'abort' }
  | { readonly type: 'failure'; readonly failure: AttemptFailure }

/** Bytes of a response that its caller has not got when its exchange ends. */
export function unsentBytes(outcome: Outcome): number {
  const rest = outcome.type === 'delivered' ? outcome.rest : undefined
  if (rest?.type === 'whole') return rest.answer.body.length + (rest.answer.strings?.bytes ?? 0)
  if (rest?.type === 'bytes') return rest.bytes.length
  if (rest?.type !== 'frames' && rest?.type !== 'error') return 0
  return rest.frames.reduce((sum, { length }) => sum + length, 0)
}

/** Which channel a response came from, and under which conditions. */
export interface Route {
  readonly channel: RosterChannel
  /** The model name sent to the upstream. */
  readonly upstreamModel: string
  /** The upstream forgets a prompt after five minutes, unless the caller asks for an hour. */
  readonly hasShortCache?: boolean
  /** The operator's system prompt was put before the caller's own. */
  readonly isSystemPromptOverwritten?: boolean
  /** Notes on what the channel's parameter override changed that affects the upstream's charge. */
  readonly overrideNotes?: readonly string[]
  /** The service tier requested; usage counted by the gateway is charged at its price. */
  readonly serviceTier?: string
  /** Collects the text of the response, where texts are kept. */
  readonly transcript?: AnswerText
}

/**
 * `complete`: read to its end. `broken`: the upstream stopped early. `cut`: ended by the gateway because the
 * balance was exhausted. `displaced`: ended by the gateway because more calls than are followed were left by their
 * callers, or because other answers to the same user left no room for it; it may have ended before a response began. `cancelled`: ended by the gateway for another reason, such as
 * a shutdown.
 */
export type StreamEnd = 'complete' | 'broken' | 'cut' | 'displaced' | 'cancelled'

/** How a response ended that broke after something usable had arrived; `type`: that of its `BreakReason`. */
export function toStreamEnd({ type }: { readonly type: string }): StreamEnd {
  if (type === 'displaced') return 'displaced'
  return OURS.has(type) ? 'cancelled' : 'broken'
}

/** Reasons for which the gateway ends a response, not the upstream. */
const OURS: ReadonlySet<string> = new Set(['left-unsent', 'no-room', 'stopped', 'too-long'])
