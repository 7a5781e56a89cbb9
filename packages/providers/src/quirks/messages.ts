import { isRecord } from '@tollgate/dialects/json'
import type { RequestQuirk } from '../provider.ts'
import { onBody, type Body } from './body.ts'

/** Changes messages one by one; one that comes back as it was stays as it is. */
export function onMessages(change: (message: Body, index: number) => Body): RequestQuirk {
  return onBody((body) => {
    const messages: unknown = body['messages']
    if (!Array.isArray(messages)) return body
    const changed = messages.map((each: unknown, index) => (isRecord(each) ? change(each, index) : each))
    return changed.some((each, index) => each !== messages[index]) ? { ...body, messages: changed } : body
  })
}

/** Changes the parts of messages that have parts. */
export function onParts(change: (part: Body) => Body): RequestQuirk {
  return onMessages((message) => {
    const parts: unknown = message['content']
    if (!Array.isArray(parts)) return message
    const content = parts.map((part: unknown) => (isRecord(part) ? change(part) : part))
    return content.some((part, index) => part !== parts[index]) ? { ...message, content } : message
  })
}

/** Keeps the members of a message that a strict vendor knows. */
export function onlyMessageMembers(...names: readonly string[]): RequestQuirk {
  return onMessages((message) => {
    const kept = Object.entries(message).filter(([name]) => names.includes(name))
    return kept.length === Object.keys(message).length ? message : Object.fromEntries(kept)
  })
}
