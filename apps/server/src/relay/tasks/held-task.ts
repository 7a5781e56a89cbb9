import type { Price } from '@tollgate/billing/price'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import type { TaskAsk } from '@tollgate/providers/tasks/platform'
import type { VideoTokens } from '@tollgate/providers/tasks/upstream'
import type { RelaySettings } from '../../snapshots/relay-settings.ts'
import { usageOfTokens } from '../../tasks/token-charge.ts'
import type { Choice } from '../stations/route/choice.ts'
import type { GroupPlan } from './channels.ts'
import type { Sent } from './sent.ts'
import type { TaskCall } from './task-call.ts'

/** A task submission that passed admission. */
export interface AdmittedTask extends TaskCall, GroupPlan {
  readonly ask: TaskAsk
  /** Groups to try, in this order, when this one fails. */
  readonly fallbacks: readonly GroupPlan[]
  readonly prompt: string
  /** Token counts for a video whose upstream reports the tokens on completion. */
  readonly tokens: VideoTokens | undefined
  readonly settings: RelaySettings
  /** The secret that a callback for this task must contain; `undefined` when callbacks are not accepted. */
  readonly secret: string | undefined
}

/** A task submission whose price is held. */
export interface HeldTask extends AdmittedTask {
  readonly price: Price
  readonly units: bigint
  /** The highest price of any of its groups. */
  readonly ceiling: bigint
  /** The same submission in the next group, tried when all channels of this one refused it. */
  readonly next?: HeldTask
  /** The submission was moved here from another group, so its price is not the one of the hold. */
  readonly isMoved?: true
  readonly holdMs: number
}

/** How far a submission came: the group, the channel and the result of its last attempt. */
export interface TriedTask {
  readonly held: HeldTask
  readonly choice: Choice | undefined
  readonly sent: Sent | undefined
}

/**
 * The usage of a submission: one unit at a fixed price; the seconds of a video; or tokens. Tokens are charged
 * at the highest possible number, and the excess is refunded once the upstream reports the real one.
 */
export function usageOf({ ask, price, tokens }: Pick<HeldTask, 'ask' | 'price' | 'tokens'>): Usage {
  if (price.rule.type === 'ratio' && tokens !== undefined) return usageOfTokens(tokens.most)
  const { work } = ask
  const seconds = work.type === 'video' ? work.seconds : undefined
  return { ...noUsage, ...(seconds !== undefined && { seconds }), toolCalls: { submission: 1 } }
}
