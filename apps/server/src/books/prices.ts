import { buildPriceBook } from '@tollgate/billing/price-book'
import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { parsePriceOptions, priceOptionFault, priceOptionKeys } from '@tollgate/billing/price-options'
import type { Clock } from '@tollgate/kit/clock'
import { sha256Hex } from '@tollgate/kit/ids'
import { publishPriceBook } from '@tollgate/store/price-books'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'
import type { PriceBook } from './books.ts'
import { priceTexts, type OnUnreadable, type OptionTexts } from './settings.ts'

export interface PricePorts {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly onUnreadable: OnUnreadable
}

/**
 * The price book of the stored options. New content gets a new version, kept in the store for ever, so that every hold
 * can name what it was priced by; the same content gives back `current`.
 */
export async function loadPriceBook(
  texts: OptionTexts,
  { db, clock, onUnreadable }: PricePorts,
  current: LoadedPriceBook | undefined,
): Promise<LoadedPriceBook> {
  const complete = priceTexts(texts)
  for (const key of priceOptionKeys) {
    if (priceOptionFault(key, complete[key]) === undefined) continue
    onUnreadable(key)
    complete[key] = defaultPriceOptions[key]
  }
  const content = JSON.stringify(complete)
  const contentHash = sha256Hex(content)
  if (current?.contentHash === contentHash) return current
  const version = await publishPriceBook(db, { contentHash, content, nowMs: clock.nowMs() })
  return { contentHash, book: buildPriceBook(parsePriceOptions(complete), version) }
}

export interface LoadedPriceBook {
  readonly contentHash: string
  readonly book: PriceBook
}
