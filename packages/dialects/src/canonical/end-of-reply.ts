import type { Usage } from '../usage.ts'
import type { ReplyEvent } from './event.ts'

/** The events with which every stream ends: its usage, if there is any, and the end. */
export function endOfReply(usage: Usage | undefined): ReplyEvent[] {
  return usage === undefined ? [{ type: 'reply-end' }] : [{ type: 'usage', usage }, { type: 'reply-end' }]
}
