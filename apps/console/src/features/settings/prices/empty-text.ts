import type { settingMessages } from '../i18n/index.ts'
import type { EffectivePrices } from './effective-price.ts'
import type { PriceUnit } from './part-labels.ts'
import { type PriceFormValue, enteredParts } from './price-entry.ts'
import type { PricePart, PriceRow } from './price-rows.ts'

interface EmptyInput {
  readonly entered: PriceFormValue
  readonly before: PriceRow
  readonly unit: PriceUnit
  readonly effective: EffectivePrices
  readonly t: ReturnType<typeof settingMessages.use>
}

/** The placeholder of an empty field: the value that applies and its source; "" if none applies. */
export function emptyText(part: PricePart, { entered, before, unit, effective, t }: EmptyInput): string {
  const { [part]: _own, ...others } = enteredParts(entered, before, unit)
  const priced = effective({ model: before.model, parts: others }).parts[part]
  // As long as the input has no price, only a factor can be shown, not an amount of money.
  const factor = effective({ model: before.model, parts: { ratio: 1, ...others } }).parts[part]
  const found = priced ?? (part === 'ratio' ? undefined : factor)
  if (found === undefined) return ''
  const isPrice = priced !== undefined && unit === 'money'
  const value = isPrice || part === 'price' ? String(found.price) : `× ${found.ratio}`
  if (found.source === 'family') return t('prices.emptyFamily', { value, family: found.family })
  return t('prices.emptyBuiltIn', { value })
}
