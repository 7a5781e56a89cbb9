import { text } from '@tollgate/importer/cell'
import { mapOrder } from '@tollgate/importer/map-order'
import type { Source } from '@tollgate/importer/source'
import { insertImported } from '@tollgate/store/transfer/imported-rows'
import { raiseNextId } from '@tollgate/store/database/next-id'
import { importRows } from './import-rows.ts'
import type { ImportContext } from './import-context.ts'

const TABLE = 'top_ups'

/** Imports top-up orders with their ids and numbers; pending orders can still be paid. */
export async function importOrders(context: ImportContext): Promise<void> {
  const { source, db, writing } = context
  const quotaPerUnit = await quotaPerUnitOf(source)
  const numbers = new Set<string>()
  await importRows(context, {
    table: TABLE,
    map: (row) => {
      const { row: order, refusal, notes } = mapOrder(row, { quotaPerUnit })
      const name = order.trade_no
      const isRepeated = refusal === undefined && numbers.has(name)
      numbers.add(name)
      return { id: order.id, row: order, refusal: isRepeated ? 'order-repeated' : refusal, name, notes }
    },
    findForeign: async (look, fresh) => {
      const ids = fresh.map(({ id }) => id)
      const tradeNumbers = fresh.map(({ trade_no }) => trade_no)
      const found = await look
        .selectFrom(TABLE)
        .select(['id', 'trade_no'])
        .where((where) => where.or([where('id', 'in', ids), where('trade_no', 'in', tradeNumbers)]))
        .execute()
      return found.map(({ id, trade_no }) => `order ${id} (${trade_no}) is here already`)
    },
    insert: (db, rows) => insertImported(db, 'top_ups', rows),
  })
  if (writing) await raiseNextId(db, { traits: writing.traits, table: TABLE })
}

const USUAL_QUOTA_PER_UNIT = 500_000

/** Quota per currency unit as configured in the source, regardless of the setting here. */
async function quotaPerUnitOf(source: Source): Promise<number> {
  for await (const rows of source.pages('options')) {
    const option = rows.find((row) => text(row, 'key') === 'QuotaPerUnit')
    const value = Number(option && text(option, 'value'))
    if (value > 0 && Number.isFinite(value)) return value
  }
  return USUAL_QUOTA_PER_UNIT
}
