import type { CallOperation } from '@tollgate/dialects/conversations'
import type { UncountedInput } from '@tollgate/dialects/uncounted-input'
import { resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import type { RosterChannel } from '../snapshots/snapshots.ts'
import { upstreamModel, type ModelNames } from './upstream-model.ts'

export interface Service {
  readonly operation: CallOperation
  readonly names: ModelNames
  readonly uncounted: UncountedInput | undefined
}

/**
 * Whether a channel supports the operation for the upstream's name of the model, and allows everything the
 * call requests.
 */
export function serves(channel: RosterChannel, { operation, names, uncounted }: Service): boolean {
  const resolved = resolveEndpoint(channel.provider, operation, upstreamModel(channel, names))
  if (resolved === undefined || uncounted === undefined) return resolved !== undefined
  // Content stored at one vendor cannot be used through the dialect of another.
  const isOwnDialect = resolved.operation === operation
  const refused = memberNotAllowed(channel, uncounted)
  return refused === undefined && (uncounted.storedContext === undefined || isOwnDialect)
}

/** The member of a request that requests something the channel does not allow. */
function memberNotAllowed(
  { settings }: Pick<RosterChannel, 'settings'>,
  { serverTool, storedContext, keptByVendor }: UncountedInput,
): string | undefined {
  if (serverTool !== undefined && !settings.allowsServerTools) return serverTool
  if (storedContext !== undefined && !settings.allowsStoredContext) return storedContext
  return settings.allowsKeptResponses ? undefined : keptByVendor
}
