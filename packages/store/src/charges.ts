import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Engines take so many parameters in one statement, and more. */
const KEYS_AT_ONCE = 500

/** Entries of calls with what they were priced by. */
export type ChargeRow = Awaited<ReturnType<typeof listCharges>>[number]

/** Oldest first; only those that say by what they were priced. */
export function listCharges(
  db: Kysely<Database>,
  { sinceMs, afterId, limit }: { sinceMs: number; afterId: number; limit: number },
) {
  return db
    .selectFrom('entry')
    .select(['id', 'op_key', 'kind', 'request_id', 'amount', 'waived', 'price_json', 'usage_json'])
    .where('id', '>', afterId)
    .where('kind', 'in', ['consume', 'correction'])
    .where('created_ms', '>=', sinceMs)
    .where('price_json', 'is not', null)
    .where('usage_json', 'is not', null)
    .$narrowType<{ price_json: string; usage_json: string }>()
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** By what a call was charged at first, as JSON; `undefined`: it was not, or its entry is no longer kept. */
export async function readFirstPrice(db: Kysely<Database>, requestId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('entry')
    .select('price_json')
    .where('op_key', '=', `consume:${requestId}`)
    .executeTakeFirst()
  return row?.price_json ?? undefined
}

/** What calls were charged at first, by their ids; a call without a charge is left out. */
export async function readFirstCharges(
  db: Kysely<Database>,
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
