import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { type PriceOptionKey, priceOptionKeys } from '@tollgate/billing/price-options'
import { type OptionKey, optionDefinition } from '@tollgate/contract/options/index'
import { invariant } from '@tollgate/kit/invariant'

const PRICE_KEYS: ReadonlySet<string> = new Set(priceOptionKeys)

export function isPriceOption(key: string): key is PriceOptionKey {
  return PRICE_KEYS.has(key)
}

/**
 * The contract's default for a setting, or the built-in price table where the contract leaves the default to
 * the server.
 */
export function defaultText(key: OptionKey): string {
  const text = optionDefinition(key).default ?? (isPriceOption(key) ? defaultPriceOptions[key] : undefined)
  invariant(text !== undefined, 'every setting has a default')
  return text
}
