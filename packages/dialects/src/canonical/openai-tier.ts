import type { Conversation } from './conversation.ts'
import type { DroppedMembers } from './dropped.ts'

/**
 * Chat completions and Responses have the same service tiers; tiers of other vendors have no equivalent and
 * are dropped.
 */
export function openaiTier(
  { serviceTier }: Conversation,
  dropped: DroppedMembers | undefined,
): string | undefined {
  if (serviceTier === undefined) return undefined
  const { dialect, value } = serviceTier
  if (dialect === 'openai' || dialect === 'responses') return value
  dropped?.add('service_tier')
  return undefined
}
