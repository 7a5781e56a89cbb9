import type { Price } from '@tollgate/billing/price'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import type { TaskAsk } from '@tollgate/providers/tasks/platform'
import type { VideoTokens } from '@tollgate/providers/tasks/upstream'
import type { RelaySettings } from '../../snapshots/relay-settings.ts'
import { usageOfTokens } from '../../tasks/token-charge.ts'
import type { TaskChannels } from './channels.ts'
import type { TaskCall } from './ports.ts'

/** A submission whose price is set aside. */
export interface HeldTask extends TaskCall {
  readonly ask: TaskAsk
  readonly group: string
  readonly channels: TaskChannels
  readonly price: Price
  readonly units: bigint
  /** The most that any of its groups asks. */
  readonly ceiling: bigint
  /** The same in the group that is tried when this one's channels have nothing of it. */
  readonly next?: HeldTask
  /** Its price is not the one it was admitted at first. */
  readonly isMoved?: true
  readonly holdMs: number
  readonly prompt: string
  /** Of a video whose upstream counts tokens and tells them on completion. */
  readonly tokens: VideoTokens | undefined
  readonly settings: RelaySettings
  /** What its callback brings; `undefined` where none may come. */
  readonly secret: string | undefined
}

/**
 * One submission is one of whatever the price is for; a video has its price for each second, or for each token: then as
 * many as there can be, and what was too much is given back once their number is told.
 */
export function usageOf({ ask, price, tokens }: Pick<HeldTask, 'ask' | 'price' | 'tokens'>): Usage {
  if (price.rule.type === 'ratio' && tokens !== undefined) return usageOfTokens(tokens.most)
  const { work } = ask
  const seconds = work.type === 'video' ? work.seconds : undefined
  return { ...noUsage, ...(seconds !== undefined && { seconds }), toolCalls: { submission: 1 } }
}
