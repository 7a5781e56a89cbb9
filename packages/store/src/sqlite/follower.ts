import type { CallsOf } from '@tollgate/kit/message-calls'
import { StoreError } from '../database/errors.ts'
import type { QueryAnswer } from './connection.ts'
import type { Payload } from './engine.ts'
import type { WriteSession } from './kysely-dialect.ts'
import type { SqlitePort } from './port.ts'

/** Calls that a guest process makes to the process that owns the file. */
export type FollowerCalls = {
  'store.write': (statement: Statement) => QueryAnswer
  'store.begin': (input: undefined) => number
  'store.write-in': (statement: Statement & { readonly session: number }) => QueryAnswer
  'store.end': (input: { readonly session: number; readonly how: 'commit' | 'rollback' }) => void
  'store.load': (url: string) => void
  'store.call': (input: { readonly name: string; readonly payload: Payload }) => string
}

interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface FollowerParts {
  readonly port: SqlitePort
  readonly load: (url: string) => Promise<unknown>
}

/**
 * Runs the writes of one guest, queued with those of all others. Call the returned function when the guest is
 * gone: it rolls back the guest's open transactions.
 */
export function serveFollower(
  { port, load }: FollowerParts,
  calls: CallsOf<FollowerCalls>,
): () => Promise<void> {
  const sessions = new Map<number, WriteSession>()
  let last = 0
  let isGone = false

  function sessionOf(number: number): WriteSession {
    const session = sessions.get(number)
    if (session === undefined) throw new StoreError('bug', 'the transaction has ended')
    return session
  }

  calls.serve('store.write', ({ sql, parameters }) => port.write(sql, parameters))
  calls.serve('store.begin', async () => {
    const session = await port.begin()
    // The guest died while its transaction was waiting for the writer.
    if (isGone) await session.rollback()
    else sessions.set(++last, session)
    return last
  })
  calls.serve('store.write-in', ({ session, sql, parameters }) => sessionOf(session).write(sql, parameters))
  calls.serve('store.end', async ({ session: number, how }) => {
    const session = sessionOf(number)
    sessions.delete(number)
    await session[how]()
  })
  calls.serve('store.load', async (url) => {
    await load(url)
  })
  calls.serve('store.call', ({ name, payload }) => port.call(name, payload))

  return async () => {
    isGone = true
    await Promise.allSettled([...sessions.values()].map((session) => session.rollback()))
    sessions.clear()
  }
}
