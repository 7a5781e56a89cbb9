import { whole } from '@tollgate/importer/cell'
import { mapCode } from '@tollgate/importer/map-code'
import { sha256Hex } from '@tollgate/kit/ids'
import { insertImported } from '@tollgate/store/transfer/imported-rows'
import { raiseNextId } from '@tollgate/store/database/next-id'
import { storeCode } from '../../services/redemption/code.ts'
import { importRows } from './import-rows.ts'
import type { ImportContext } from './import-context.ts'

/**
 * Imports redemption codes with their ids, hashed and encrypted, then the record of which user redeemed which
 * gift code.
 */
export async function importCodes(context: ImportContext): Promise<void> {
  const { db, writing, nowMs } = context
  const keys = new Set<string>()
  await importRows(context, {
    table: 'redemptions',
    map: (row) => {
      const { row: code, key, refusal: impossible, notes } = mapCode(row, { nowMs })
      const refusal = impossible ?? (keys.has(key) ? ('code-repeated' as const) : undefined)
      keys.add(key)
      const stored = { ...code, key_hash: sha256Hex(key) }
      return { id: code.id, row: { stored, key }, refusal, name: code.name, notes }
    },
    findForeign: async (look, fresh) => {
      const ids = fresh.map(({ stored }) => stored.id)
      const hashes = fresh.map(({ stored }) => stored.key_hash)
      const found = await look
        .selectFrom('redemptions')
        .select(['id', 'name'])
        .where((where) => where.or([where('id', 'in', ids), where('key_hash', 'in', hashes)]))
        .execute()
      return found.map(({ id, name }) => `code ${id} (${name}) is here already`)
    },
    insert: async (transaction, fresh) => {
      if (!writing) return
      const rows = fresh.map(({ stored, key }) => ({ ...stored, ...storeCode(key, writing.cipher) }))
      await insertImported(transaction, 'redemptions', rows)
    },
  })
  await passUses(context)
  if (writing) await raiseNextId(db, { traits: writing.traits, table: 'redemptions' })
}

/**
 * Unlike here, the source does not enforce that a user redeems a gift code only once, so duplicates are left
 * out.
 */
async function passUses(context: ImportContext): Promise<void> {
  const seen = new Set<string>()
  await importRows(context, {
    table: 'redemption_logs',
    map: (row) => {
      const use = {
        redemption_id: whole(row, 'redemption_id'),
        user_id: whole(row, 'user_id'),
        used_time: whole(row, 'used_time'),
      }
      const name = `code ${use.redemption_id}, user ${use.user_id}`
      const refusal = seen.has(name) ? ('gift-used-twice' as const) : undefined
      seen.add(name)
      return { id: whole(row, 'id'), row: use, refusal, name, notes: [] }
    },
    findForeign: async () => [],
    insert: (db, rows) => insertImported(db, 'redemption_uses', rows),
  })
}
