import { isGuardedOption, isOptionKey } from '@tollgate/contract/options/index'
import type { optionHistoryRoutes } from '@tollgate/contract/option-history'
import { problem } from '@tollgate/problems/problem'
import { findOptionChange } from '@tollgate/store/operations/option-changes'
import type { Handler } from '../handler.ts'
import { type OptionServices, changeOption } from './change.ts'
import { defaultText } from '../../snapshots/default-text.ts'
import { isRevertible } from './history.ts'

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
