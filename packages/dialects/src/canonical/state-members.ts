import type { DialectName } from './raw.ts'

/** A top-level member that refers to something which a vendor keeps. */
interface StateMember {
  readonly dialect: DialectName
  readonly member: string
  /** Its name in messages. */
  readonly words: string
}

/**
 * Sources, read on 2026-11-29: https://ai.google.dev/api/caching (cachedContent),
 * https://docs.anthropic.com/en/api/messages (mcp_servers, container), and the types of `@anthropic-ai/sdk` 1.8.0
 * (thread).
 */
export const stateMembers: readonly StateMember[] = [
  { dialect: 'gemini', member: 'cachedContent', words: 'cached content' },
  { dialect: 'anthropic', member: 'mcp_servers', words: "a vendor's own calls of MCP servers" },
  { dialect: 'anthropic', member: 'container', words: "a vendor's own container" },
  { dialect: 'anthropic', member: 'thread', words: 'a thread that the vendor keeps' },
]

const STATE_WORDS = /thread|session|conversation|parent|resum(?:e|ing|pt)|previous/i

/**
 * Whether a member that nobody knows sounds as if it carried the conversation: without it, a model would answer
 * as if nothing had been said before.
 */
export function isStatefulName(name: string): boolean {
  return STATE_WORDS.test(name) && !NO_STATE.has(name)
}

/** OpenRouter groups calls by it, for its owner to look at; no vendor keeps anything under it. */
const NO_STATE: ReadonlySet<string> = new Set(['session_id'])

/** Whether a member asks for anything. */
export function isMemberSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  return !Array.isArray(value) || value.length > 0
}
