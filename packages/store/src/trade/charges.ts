import type { Db } from '../tables/schema.ts'
import { entryPrice, hasPrice } from './entry-price.ts'

/** Every engine accepts this many parameters in one statement. */
const KEYS_AT_ONCE = 500

/** Ledger entries of calls, with the price each was charged at. */
export type ChargeRow = Awaited<ReturnType<typeof listCharges>>[number]

/** Oldest first. Entries without a price or usage are skipped; a price that is missing is an empty text. */
export function listCharges(
  db: Db,
  { sinceMs, afterId, limit }: { sinceMs: number; afterId: number; limit: number },
) {
  return chargesSince(db, sinceMs)
    .select(['id', 'op_key', 'kind', 'request_id', 'amount', 'waived', 'usage_json'])
    .select((eb) => eb.fn.coalesce(entryPrice, eb.val('')).as('price_json'))
    .where('id', '>', afterId)
    .$narrowType<{ usage_json: string }>()
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** JSON of the prices with these content hashes, by hash. */
export async function readPrices(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const prices = new Map<string, string>()
  for (let from = 0; from < hashes.length; from += KEYS_AT_ONCE) {
    const part = hashes.slice(from, from + KEYS_AT_ONCE)
    const rows = await db.selectFrom('price').selectAll().where('hash', 'in', part).execute()
    for (const { hash, content } of rows) prices.set(hash, content)
  }
  return prices
}

/** How many entries {@link listCharges} finds. */
export async function countCharges(db: Db, sinceMs: number): Promise<number> {
  const { count } = await chargesSince(db, sinceMs)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function chargesSince(db: Db, sinceMs: number) {
  return db
    .selectFrom('entry')
    .where('kind', 'in', ['consume', 'correction'])
    .where('created_ms', '>=', sinceMs)
    .where(hasPrice)
    .where('usage_json', 'is not', null)
}

/**
 * The price, as JSON, of a call's first charge. `undefined` when the call was never charged, or when its
 * entry is no longer kept.
 */
export async function readFirstPrice(db: Db, requestId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('entry')
    .select(entryPrice.as('price_json'))
    .where('op_key', '=', `consume:${requestId}`)
    .executeTakeFirst()
  return row?.price_json ?? undefined
}

/** First charges of calls by request id. A call without a charge is not in the map. */
export async function readFirstCharges(
  db: Db,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const charges = new Map<string, bigint>()
  for (let from = 0; from < requestIds.length; from += KEYS_AT_ONCE) {
    const keys = requestIds.slice(from, from + KEYS_AT_ONCE).map((id) => `consume:${id}`)
    const rows = await db
      .selectFrom('entry')
      .select(['request_id', 'amount'])
      .where('op_key', 'in', keys)
      .execute()
    for (const { request_id: id, amount } of rows) if (id !== null) charges.set(id, amount)
  }
  return charges
}
