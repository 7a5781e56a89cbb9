import type { Conversation } from '../canonical/conversation.ts'
import type { DroppedMembers } from '../canonical/dropped.ts'

/** Both dialects of OpenAI know the same tiers; those of other vendors mean nothing to it. */
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
