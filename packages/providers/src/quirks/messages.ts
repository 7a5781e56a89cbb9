import { isRecord } from '@tollgate/dialects/json'
import type { RequestQuirk } from '../provider.ts'
import { onBody, type Body } from './body.ts'

/** Changes messages one by one; unchanged messages stay the same objects. */
export function onMessages(change: (message: Body, index: number) => Body): RequestQuirk {
  return onBody((body) => {
    const messages: unknown = body['messages']
    if (!Array.isArray(messages)) return body
    const changed = messages.map((each: unknown, index) => (isRecord(each) ? change(each, index) : each))
    return changed.some((each, index) => each !== messages[index]) ? { ...body, messages: changed } : body
  })
}

/** Changes the parts of messages whose content is a list. */
export function onParts(change: (part: Body) => Body): RequestQuirk {
  return onMessages((message) => {
    const parts: unknown = message['content']
    if (!Array.isArray(parts)) return message
    const content = parts.map((part: unknown) => (isRecord(part) ? change(part) : part))
    return content.some((part, index) => part !== parts[index]) ? { ...message, content } : message
  })
}

/**
 * Keeps only the message members that a strict vendor knows; a refusal of the model is sent as its text
 * content.
 */
export function onlyMessageMembers(...names: readonly string[]): RequestQuirk {
  const change = onMessages((message) => {
    const kept = Object.entries(message).filter(([name]) => names.includes(name))
    if (kept.length === Object.keys(message).length) return message
    const content = message['content'] ?? (names.includes('refusal') ? undefined : message['refusal'])
    return { ...Object.fromEntries(kept), ...(content !== undefined && { content }) }
  })
  return (outgoing, upstream) => {
    const changed = change(outgoing, upstream)
    if (names.includes('name') || !hasNames(outgoing.body)) return changed
    return { ...changed, dropped: [...(outgoing.dropped ?? []), 'name'] }
  }
}

function hasNames({ messages }: Body): boolean {
  return Array.isArray(messages) && messages.some((each) => isRecord(each) && each['name'] !== undefined)
}
