import { sql } from 'kysely'

/** The frozen price of an entry as JSON: from its own row in earlier versions, otherwise from `price`. */
export const ENTRY_PRICE =
  'coalesce(entry.price_json, (select price.content from price where price.hash = entry.price_hash))'

/** For queries of `entry`. Null where the entry has no price. */
export const entryPrice = sql<string | null>`${sql.raw(ENTRY_PRICE)}`

export const hasPrice = sql<boolean>`(entry.price_json is not null or entry.price_hash is not null)`
