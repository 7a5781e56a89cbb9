import type { accountRoutes } from '@tollgate/contract/account'
import { problem } from '@tollgate/problems/problem'
import { listSessionsOf, removeSession, removeSessionsOf } from '@tollgate/store/accounts/sessions'
import type { Handler } from '../handler.ts'
import type { AccountServices } from './services.ts'
import { sha256Hex } from '@tollgate/kit/ids'

/** Lists the caller's sessions, latest first. */
export function listOwnSessions({ store, clock }: AccountServices): Handler<typeof accountRoutes.sessions> {
  return async ({ actor }) => {
    const rows = await listSessionsOf(store, { userId: actor.id, nowMs: clock.nowMs() })
    return rows.map((row) => ({
      id: shownSession(row.id_hash),
      created_at: seconds(row.created_ms),
      seen_at: seconds(row.seen_ms),
      expires_at: seconds(row.expires_ms),
      address: row.address,
      user_agent: row.user_agent,
      is_current: row.id_hash === actor.sessionHash,
    }))
  }
}

export function endOwnSession({ store, clock }: AccountServices): Handler<typeof accountRoutes.endSession> {
  return async ({ actor, params, session }) => {
    const rows = await listSessionsOf(store, { userId: actor.id, nowMs: clock.nowMs() })
    const row = rows.find(({ id_hash }) => shownSession(id_hash) === params.session)
    if (!row) throw problem('session_unknown')
    if (row.id_hash === actor.sessionHash) await session.end()
    else await removeSession(store, row.id_hash)
    return null
  }
}

export function endOwnSessions({ store }: AccountServices): Handler<typeof accountRoutes.endSessions> {
  return async ({ actor, query, session }) => {
    const isKept = query.keep_current && actor.sessionHash !== undefined
    const ended = await removeSessionsOf(store, actor.id, isKept ? actor.sessionHash : undefined)
    if (!isKept && actor.sessionHash !== undefined) await session.end()
    return ended
  }
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

const SHOWN_CHARACTERS = 16

/** A public name for a session; neither its id nor the stored hash can be derived from it. */
export function shownSession(idHash: string): string {
  return sha256Hex(`shown:${idHash}`).slice(0, SHOWN_CHARACTERS)
}
