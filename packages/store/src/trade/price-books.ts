import { insertedId } from '../database/inserted-id.ts'
import type { Db } from '../tables/schema.ts'
import { isUniqueViolation } from '../database/traits.ts'

/**
 * Published price books. A hold stores the version that it was priced with, so a published book is never
 * changed.
 */

/**
 * Returns the version of the book with this content. If there is none yet, this node or another one inserts
 * it.
 */
export async function publishPriceBook(
  db: Db,
  book: { contentHash: string; content: string; nowMs: number },
): Promise<number> {
  const known = await findVersion(db, book.contentHash)
  if (known !== undefined) return known
  const row = { content_hash: book.contentHash, content: book.content, created_ms: book.nowMs }
  const insert = db.insertInto('price_books').values(row)
  try {
    return await insertedId(db, { insert, returning: insert.returning('version as id') })
  } catch (error) {
    const published = isUniqueViolation(error) ? await findVersion(db, book.contentHash) : undefined
    if (published === undefined) throw error
    return published
  }
}

async function findVersion(db: Db, contentHash: string): Promise<number | undefined> {
  const same = db.selectFrom('price_books').select('version').where('content_hash', '=', contentHash)
  return (await same.executeTakeFirst())?.version
}

export function findPriceBook(db: Db, version: number) {
  return db.selectFrom('price_books').selectAll().where('version', '=', version).executeTakeFirst()
}
