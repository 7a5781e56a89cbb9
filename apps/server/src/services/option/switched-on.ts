import {
  type OptionKey,
  type OptionValue,
  isOptionKey,
  optionDefinition,
} from '@tollgate/contract/options/index'
import { missingNeeds } from '@tollgate/contract/options/needs'
import { invariant } from '@tollgate/kit/invariant'
import type { Options } from '../services.ts'

type SwitchKey = { [Key in OptionKey]: OptionValue<Key> extends boolean ? Key : never }[OptionKey]

/** The option is on, and the settings it requires are not empty. */
export function isSwitchedOn(options: Options, key: SwitchKey): boolean {
  if (!options.get(key)) return false
  return missingNeeds(optionDefinition(key), (needed) => isFilled(options, needed)) === undefined
}

function isFilled(options: Options, key: string): boolean {
  invariant(isOptionKey(key), 'what a switch needs is an option')
  return options.get(key) !== ''
}
