import { isOptionKey, optionDefinition } from '@tollgate/contract/options/index'
import type { OptionChange, optionHistoryRoutes } from '@tollgate/contract/option-history'
import {
  type OptionChangeRow,
  countOptionChanges,
  listOptionChanges,
} from '@tollgate/store/operations/option-changes'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'

export function listHistory({ store }: Services): Handler<typeof optionHistoryRoutes.list> {
  return async ({ query }) => {
    const page = { offset: (query.p - 1) * query.page_size, limit: query.page_size }
    const [rows, total] = await Promise.all([
      listOptionChanges(store, query, page),
      countOptionChanges(store, query),
    ])
    return { items: rows.map(toWireChange), total, page: query.p, page_size: query.page_size }
  }
}

/** An option that was not secret in an earlier version may be secret now; its history is then masked. */
function toWireChange(row: OptionChangeRow): OptionChange {
  const canRevert = isRevertible(row.key)
  return {
    id: row.id,
    key: row.key,
    before: canRevert || row.before_value === null ? row.before_value : masked(row.before_value),
    after: canRevert ? row.after_value : masked(row.after_value),
    version: row.version,
    changed_at: Math.floor(row.changed_ms / 1000),
    changed_by: row.changed_by,
    changed_by_name: row.changed_by_name ?? '',
    can_revert: canRevert,
  }
}

export function isRevertible(key: string): boolean {
  return isOptionKey(key) && !optionDefinition(key).isSecret
}

function masked(value: string): string {
  return value === '' ? '' : '[secret]'
}
