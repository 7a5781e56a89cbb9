import type { optionRoutes } from '@tollgate/contract/option'
import { isGuardedOption, isOptionKey, optionDefinition } from '@tollgate/contract/options/index'
import { problem } from '@tollgate/problems/problem'
import type { Handler } from '../handler.ts'
import { type OptionServices, changeOption } from './change.ts'

export function updateOption(services: OptionServices): Handler<typeof optionRoutes.update> {
  return async (call) => {
    const { body, language, guard } = call
    const { key, value, version } = body
    if (!isOptionKey(key)) throw problem('option_unknown', { key })
    const isKept = value === undefined && optionDefinition(key).isSecret
    guard.require({ when: isGuardedOption(key) && !isKept })
    if (isKept) return null
    const text = value ?? ''
    await changeOption(services, { key, text, version, by: call, language })
    return null
  }
}
