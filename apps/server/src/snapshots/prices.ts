import { feeRows } from '@tollgate/catalogue/fees/fee-rows'
import { writeListedFees } from '@tollgate/billing/fee-prices'
import { buildPriceBook } from '@tollgate/billing/price-book'
import { defaultPriceOptions } from '@tollgate/billing/defaults'
import {
  parsePriceOptions,
  priceOptionFault,
  type PriceOptionKey,
  priceOptionKeys,
} from '@tollgate/billing/price-options'
import type { Clock } from '@tollgate/kit/clock'
import { sha256Hex } from '@tollgate/kit/ids'
import { publishPriceBook } from '@tollgate/store/trade/price-books'
import type { Db } from '@tollgate/store/tables/schema'
import type { PriceBook } from './snapshots.ts'
import type { OnSettingFault, SiteSettings } from './site-settings.ts'

export interface PricePorts {
  readonly db: Db
  readonly clock: Clock
  readonly onFault: OnSettingFault
}

export interface LoadedPriceBook {
  readonly contentHash: string
  readonly book: PriceBook
}

/**
 * The price book made from the site settings. New content gets a new version that stays in the store for
 * ever, so that every hold can name the prices it was made with; unchanged content returns `current`.
 */
export async function loadPriceBook(
  site: Pick<SiteSettings, 'stored'>,
  { db, clock, onFault }: PricePorts,
  current: LoadedPriceBook | undefined,
): Promise<LoadedPriceBook> {
  const texts = priceTexts(site, onFault)
  // List prices belong to a version, so that a new release with others publishes a new one.
  const content = JSON.stringify({ ...texts, ListedFees: writeListedFees(feeRows) })
  const contentHash = sha256Hex(content)
  if (current?.contentHash === contentHash) return current
  const version = await publishPriceBook(db, { contentHash, content, nowMs: clock.nowMs() })
  return { contentHash, book: buildPriceBook(parsePriceOptions(texts), version) }
}

/**
 * The complete set of price options: an option that is not stored, or whose stored text is invalid, has its
 * built-in text.
 */
function priceTexts(
  site: Pick<SiteSettings, 'stored'>,
  onFault: OnSettingFault,
): Readonly<Record<PriceOptionKey, string>> {
  const texts = { ...defaultPriceOptions }
  for (const key of priceOptionKeys) {
    const stored = site.stored(key)
    if (stored === undefined) continue
    const fault = priceOptionFault(key, stored)
    if (fault === undefined) texts[key] = stored
    else onFault(key, fault)
  }
  return texts
}
