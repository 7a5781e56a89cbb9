import type { CallOperation } from '@tollgate/dialects/conversations'
import { wayTo } from '@tollgate/providers/prepare'
import type { RosterChannel } from '../../books/books.ts'
import { upstreamModel } from '../attempt/prepare.ts'

export interface ModelNames {
  readonly asked: string
  /** Without a prefix. */
  readonly offered: string
}

/** Whether a channel has a way to do it, with the model as its upstream calls it. */
export function serves(channel: RosterChannel, operation: CallOperation, names: ModelNames): boolean {
  return wayTo(channel.provider, operation, upstreamModel(channel, names)) !== undefined
}
