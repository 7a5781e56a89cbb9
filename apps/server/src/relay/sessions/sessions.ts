import type { IncomingHttpHeaders } from 'node:http'
import type { Coordination } from '@tollgate/coordination/coordination'
import type { Cipher } from '@tollgate/kit/cipher'
import { ResponseSessions } from './response-sessions.ts'
import { endUser, previousResponse, sessionInBody, sessionInHeaders } from './session-name.ts'

export interface NamedSession {
  readonly ownerId: number
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  /** Stands for the session where the caller names none. */
  readonly connection?: string | undefined
}

/** Finds the session of a call: a keyed hash of the caller's name for it, different for each owner. */
export interface Sessions {
  find(call: NamedSession): string | undefined | Promise<string | undefined>
  /** The session with this name. */
  named(ownerId: number, name: string): string
  /** Notes the session of a response, for calls that name nothing but the response that they continue. */
  note(response: SessionResponse): void
}

export interface SessionResponse {
  readonly ownerId: number
  readonly responseId: string
  readonly session: string
}

/** 144 bits of the MAC. */
const HASH_CHARACTERS = 24
const KNOWN_MAX = 10_000

/** The session with this name, computed each time. */
export function sessionOf(
  cipher: Pick<Cipher, 'mark'>,
  { ownerId, name }: { readonly ownerId: number; readonly name: string },
): string {
  return cipher.mark(`${ownerId}\n${name}`, 'session').slice(0, HASH_CHARACTERS)
}

/** Remembers the hashes of recent sessions, because an agent makes many calls in each. */
export function openSessions(
  cipher: Pick<Cipher, 'mark'>,
  { ttlCache }: Pick<Coordination, 'ttlCache'>,
): Sessions {
  const responses = new ResponseSessions(ttlCache)
  /** By owner and name, so that no text is put together for a lookup. */
  const known = new Map<number, Map<string, string>>()
  let count = 0

  function hashOf(ownerId: number, name: string): string {
    const found = known.get(ownerId)?.get(name)
    if (found !== undefined) return found
    const hash = sessionOf(cipher, { ownerId, name })
    remember(ownerId, name, hash)
    return hash
  }

  function remember(ownerId: number, name: string, hash: string): void {
    if (++count > KNOWN_MAX) {
      known.clear()
      count = 1
    }
    const ofOwner = known.get(ownerId)
    if (ofOwner === undefined) known.set(ownerId, new Map([[name, hash]]))
    else ofOwner.set(name, hash)
  }

  /** A response of an unknown session begins one, so that the calls that continue it are one session. */
  function continued(ownerId: number, previousId: string, connection?: string): string | Promise<string> {
    const begun = () => hashOf(ownerId, connection ?? `response ${previousId}`)
    const found = responses.find(ownerId, previousId)
    return found instanceof Promise ? found.then((session) => session ?? begun()) : (found ?? begun())
  }

  return {
    find: ({ ownerId, headers, body, connection }) => {
      const name = sessionInHeaders(headers) ?? sessionInBody(body)
      if (name !== undefined) return hashOf(ownerId, name)
      const previousId = previousResponse(body)
      if (previousId !== undefined) return continued(ownerId, previousId, connection)
      const other = connection ?? endUser(body)
      return other === undefined ? undefined : hashOf(ownerId, other)
    },
    named: hashOf,
    note: ({ ownerId, responseId, session }) => responses.note(ownerId, responseId, session),
  }
}
