import { isGuardedOption, isOptionKey, optionDefinition } from '@tollgate/contract/options/index'
import type { OptionChange, optionHistoryRoutes } from '@tollgate/contract/option-history'
import {
  type OptionChangeRow,
  countOptionChanges,
  findOptionChange,
  listOptionChanges,
} from '@tollgate/store/operations/option-changes'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { problem } from '@tollgate/problems/problem'
import { type OptionServices, changeOption } from './change.ts'
import { defaultText } from '../../snapshots/default-text.ts'
import { readPage } from '../page.ts'

export function listHistory({ store }: Services): Handler<typeof optionHistoryRoutes.list> {
  return ({ query }) =>
    readPage(query, {
      list: (page) => listOptionChanges(store, query, page),
      count: () => countOptionChanges(store, query),
      show: (rows) => rows.map(toWireChange),
    })
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

/**
 * Restores the value from before a change, with full validation: a value that was valid then may be invalid
 * now.
 */
export function revertOption(services: OptionServices): Handler<typeof optionHistoryRoutes.revert> {
  return async (call) => {
    const { body, language, guard } = call
    const change = await findOptionChange(services.store, body.id)
    if (!change || !isOptionKey(change.key)) throw problem('option_change_unknown')
    const { key } = change
    guard.require({ when: isGuardedOption(key) })
    if (!isRevertible(key)) throw problem('option_change_hidden', { key })
    const text = change.before_value ?? defaultText(key)
    if (text === services.settings.text(key)) throw problem('option_as_before', { key })
    const value = await changeOption(services, { key, text, by: call, language })
    return { key, value }
  }
}
