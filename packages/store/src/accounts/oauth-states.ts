import type { Insertable } from 'kysely'
import type { OAuthStateTable } from '../tables/identity.ts'
import type { Db } from '../tables/schema.ts'

export type NewOAuthState = Insertable<OAuthStateTable>

export async function insertOAuthState(db: Db, state: NewOAuthState): Promise<void> {
  await db.insertInto('oauth_states').values(state).execute()
}

/**
 * Returns a state and deletes it; of two concurrent calls, one gets it. A request from another browser
 * neither gets nor deletes it, so no one can disturb another person's sign-in.
 */
export async function takeOAuthState(
  db: Db,
  input: { stateHash: string; browserHash: string; nowMs: number },
): Promise<OAuthStateTable | undefined> {
  const row = await db
    .selectFrom('oauth_states')
    .selectAll()
    .where('state_hash', '=', input.stateHash)
    .where('browser_hash', '=', input.browserHash)
    .where('expires_ms', '>', input.nowMs)
    .executeTakeFirst()
  if (!row) return undefined
  const { numDeletedRows } = await db
    .deleteFrom('oauth_states')
    .where('state_hash', '=', input.stateHash)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n ? row : undefined
}
