import { sql } from 'kysely'
import { ENTRY_PRICE } from './entry-price-text.ts'

/** For queries of `entry`. Null where the entry has no price. */
export const entryPrice = sql<string | null>`${sql.raw(ENTRY_PRICE)}`

export const hasPrice = sql<boolean>`(entry.price_json is not null or entry.price_hash is not null)`
