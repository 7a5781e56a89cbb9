import type { CallOperation } from '@tollgate/dialects/conversations'
import type { UncountedInput } from '@tollgate/dialects/uncounted-input'
import { wayTo } from '@tollgate/providers/prepare'
import type { RosterChannel } from '../../books/books.ts'
import { upstreamModel } from '../attempt/prepare.ts'

export interface ModelNames {
  readonly asked: string
  /** Without a prefix. */
  readonly offered: string
}

export interface Service {
  readonly operation: CallOperation
  readonly names: ModelNames
  readonly uncounted: UncountedInput | undefined
}

/** Whether a channel offers the operation with the model as its upstream calls it, and allows what the call asks for. */
export function serves(channel: RosterChannel, { operation, names, uncounted }: Service): boolean {
  const way = wayTo(channel.provider, operation, upstreamModel(channel, names))
  if (way === undefined || uncounted === undefined) return way !== undefined
  // What one vendor keeps means nothing in the dialect of another.
  const isOwnDialect = way.operation === operation
  const refused = memberNotAllowed(channel, uncounted)
  return refused === undefined && (uncounted.storedContext === undefined || isOwnDialect)
}

/** The member of a request that asks for what the channel does not allow. */
function memberNotAllowed(
  channel: Pick<RosterChannel, 'allowsServerTools' | 'allowsStoredContext' | 'allowsKeptResponses'>,
  { serverTool, storedContext, keptByVendor }: UncountedInput,
): string | undefined {
  if (serverTool !== undefined && !channel.allowsServerTools) return serverTool
  if (storedContext !== undefined && !channel.allowsStoredContext) return storedContext
  return channel.allowsKeptResponses ? undefined : keptByVendor
}
