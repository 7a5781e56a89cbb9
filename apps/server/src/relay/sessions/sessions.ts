import type { IncomingHttpHeaders } from 'node:http'
import type { Cipher } from '@tollgate/kit/cipher'
import { endUser, sessionInBody, sessionInHeaders } from './session-name.ts'

export interface NamedSession {
  readonly ownerId: number
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  /** Stands for the session where the caller names none. */
  readonly connection?: string | undefined
}

/** Finds the session of a call: a keyed hash of the caller's name for it, different for each owner. */
export interface Sessions {
  find(call: NamedSession): string | undefined
}

/** 144 bits of the MAC. */
const HASH_CHARACTERS = 24
const KNOWN_MAX = 10_000

/** Remembers the hashes of recent sessions, because an agent makes many calls in each. */
export function openSessions(cipher: Pick<Cipher, 'mark'>): Sessions {
  const known = new Map<string, string>()

  function hashOf(ownerId: number, name: string): string {
    const text = `${ownerId}\n${name}`
    const found = known.get(text)
    if (found !== undefined) return found
    const hash = cipher.mark(text, 'session').slice(0, HASH_CHARACTERS)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, hash)
    return hash
  }

  return {
    find: ({ ownerId, headers, body, connection }) => {
      const name = sessionInHeaders(headers) ?? sessionInBody(body) ?? connection ?? endUser(body)
      return name === undefined ? undefined : hashOf(ownerId, name)
    },
  }
}
