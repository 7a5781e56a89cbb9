import type { Db } from '../tables/schema.ts'
import { isInserted } from '../database/insert-unless-known.ts'

/** Returns true for the first call with this mark only, also when calls are concurrent. */
export function useOnce(
  db: Db,
  { markHash, expiresMs }: { markHash: string; expiresMs: number },
): Promise<boolean> {
  return isInserted(
    db.insertInto('spent_marks').values({ mark_hash: markHash, expires_ms: expiresMs }).execute(),
  )
}
