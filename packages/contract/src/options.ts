import type { z } from 'zod'
import { guardedOptions } from './options/guarded.ts'
import type { OptionDefinition } from './options/kinds.ts'
import { loginOptions } from './options/login.ts'
import { moneyOptions } from './options/money.ts'
import { operationOptions } from './options/operation.ts'
import { pricingOptions } from './options/pricing.ts'
import { providerOptions } from './options/providers.ts'
import { siteOptions } from './options/site.ts'

/**
 * Every site setting by key, typed: the server validates by it, the console draws its forms from it. A key that is not
 * here cannot be stored; keys of older releases found in a table are kept and ignored.
 */
export const options = {
  ...siteOptions,
  ...loginOptions,
  ...moneyOptions,
  ...pricingOptions,
  ...operationOptions,
  ...providerOptions,
} as const satisfies Record<string, OptionDefinition>

export type OptionKey = keyof typeof options
export type OptionValue<Key extends OptionKey> = z.output<(typeof options)[Key]['schema']>

export const optionKeys: readonly OptionKey[] = Object.keys(options).filter(isOptionKey)

export function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(options, key)
}

/** The definition without its value type, for code that treats all keys alike. */
export function optionDefinition(key: OptionKey): OptionDefinition {
  return options[key]
}

/** Changing it needs a recent sign-in: see the list for the reasons. */
export function isGuardedOption(key: OptionKey): boolean {
  return guardedOptions.has(key)
}

export type ParsedOption<Key extends OptionKey> =
  | { readonly type: 'accepted'; readonly value: OptionValue<Key>; readonly text: string }
  /** `where` names the entry of a list or map that was refused, or is empty. */
  | { readonly type: 'refused'; readonly where: string }

/** Checks the text of one key; `text` of an accepted value is its normal form, the one to store. */
export function parseOption<Key extends OptionKey>(key: Key, text: string): ParsedOption<Key> {
  const definition = optionDefinition(key)
  const parsed = definition.schema.safeParse(text)
  if (!parsed.success) return { type: 'refused', where: parsed.error.issues[0]?.path.join('.') ?? '' }
  return {
    type: 'accepted',
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `schema` is the one of `key`
    value: parsed.data as OptionValue<Key>,
    text: definition.print(parsed.data),
  }
}
