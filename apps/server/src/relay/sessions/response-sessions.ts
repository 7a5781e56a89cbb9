import type { Coordination } from '@tollgate/coordination/coordination'
import type { TtlCache } from '@tollgate/coordination/ttl-cache'

const DAY_MS = 86_400_000
const SESSION_CHARACTERS = 24
const BOUNDS = {
  lifetimeMs: DAY_MS,
  entriesMax: 50_000,
  bytesMax: 16 * 1024 * 1024,
  valueBytesMax: SESSION_CHARACTERS,
}
/** As long as a caller may name a response in `previous_response_id`. */
const ID_CHARACTERS_MAX = 255

/** The sessions of responses, by the user who got them; shared by all processes. */
export class ResponseSessions {
  readonly #sessions: TtlCache

  constructor(ttlCache: Coordination['ttlCache']) {
    this.#sessions = ttlCache('response-sessions', BOUNDS)
  }

  note(ownerId: number, responseId: string, session: string): void {
    if (responseId === '' || responseId.length > ID_CHARACTERS_MAX) return
    this.#sessions.put(keyOf(ownerId, responseId), session)
  }

  /** At once if this process knows it. Never rejects. */
  find(ownerId: number, responseId: string): string | undefined | Promise<string | undefined> {
    const session = this.#sessions.get(keyOf(ownerId, responseId))
    return session instanceof Promise ? session.then(valid) : valid(session)
  }
}

function valid(session: string | undefined): string | undefined {
  return session?.length === SESSION_CHARACTERS ? session : undefined
}

function keyOf(ownerId: number, responseId: string): string {
  return `${ownerId} ${responseId}`
}
