import { type OptionKey, type OptionValue, isOptionKey, optionDefinition } from '@tollgate/contract/options'
import { invariant } from '@tollgate/kit/invariant'
import type { Options } from '../services.ts'

type SwitchKey = { [Key in OptionKey]: OptionValue<Key> extends boolean ? Key : never }[OptionKey]

/** On, and nothing it works with was emptied since. */
export function isSwitchedOn(options: Options, key: SwitchKey): boolean {
  return options.get(key) && optionDefinition(key).needs.every((needed) => isFilled(options, needed))
}

function isFilled(options: Options, key: string): boolean {
  invariant(isOptionKey(key), 'what a switch needs is an option')
  return options.get(key) !== ''
}
