import { withoutForeignSearches } from '@tollgate/dialects/anthropic/foreign-searches'
import { onMessages } from './messages.ts'

/**
 * A caller sends back searches that this gateway wrote for another vendor, when a conversation moves to Claude.
 * Anthropic refuses what it did not sign, so they are sent as texts.
 */
export const claudeSearches = onMessages((message) => {
  const content: unknown = message['content']
  if (!Array.isArray(content)) return message
  const own = withoutForeignSearches(content)
  return own === content ? message : { ...message, content: own }
})
