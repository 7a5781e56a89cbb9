import type { IncomingHttpHeaders } from 'node:http'
import { isRecord, parseObject } from '@tollgate/dialects/json'

/** Longer names are ignored, so that the caller cannot make the gateway store them. */
const NAME_CHARACTERS_MAX = 255
/** Claude Code writes its ids as JSON of about 200 characters. */
const USER_ID_CHARACTERS_MAX = 2_048

/** In the order in which they are tried. */
const HEADERS = [
  'x-session-id',
  'x-claude-code-session-id',
  'x-session-affinity',
  'session_id',
  'session-id',
  'conversation_id',
] as const

/** The member as Claude Code writes it, at the end of a flat object; anything else is parsed. */
const PLAIN_MEMBER = /^\{[^{}\\]{0,1024}"session_id":"([\w-]{1,255})"\}$/

type Body = Readonly<Record<string, unknown>>

/** The name that the caller gives the session in a header; `undefined` where there is none. */
export function sessionInHeaders(headers: IncomingHttpHeaders): string | undefined {
  for (const name of HEADERS) {
    const value = headers[name]
    const session = value === undefined ? undefined : nameIn(value)
    if (session !== undefined) return session
  }
  return undefined
}

/** The name that the body gives the session, with which agents also ask for the upstream's cache. */
export function sessionInBody({ prompt_cache_key: cacheKey, metadata }: Body): string | undefined {
  const named = nameIn(cacheKey)
  if (named !== undefined) return named
  return isRecord(metadata) ? sessionInUserId(metadata['user_id']) : undefined
}

/** The response that the request continues. */
export function previousResponse({ previous_response_id: id }: Body): string | undefined {
  return nameIn(id)
}

/** The caller's end user, who stands for a session where nothing better is known. */
export function endUser({ user }: Body): string | undefined {
  return nameIn(user)
}

/** Claude Code: JSON with a `session_id`, in earlier versions `user_…_account_…_session_…`. */
function sessionInUserId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > USER_ID_CHARACTERS_MAX) return undefined
  if (value.startsWith('{'))
    return nameIn(PLAIN_MEMBER.exec(value)?.[1] ?? parseObject(value)?.['session_id'])
  const [, suffix] = /_session_(.+)$/s.exec(value) ?? []
  return nameIn(suffix)
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > NAME_CHARACTERS_MAX) return undefined
  return value.trim() || undefined
}
