import { readListedFees } from '@tollgate/billing/fee-prices'
import { type PriceBookData, buildPriceBook } from '@tollgate/billing/price-book'
import { parsePriceOptions } from '@tollgate/billing/price-options'
import { listPartHashes, type PriceLookup } from '@tollgate/billing/recompute'
import {
  type ChargeRow,
  countCharges,
  listCharges,
  readFirstCharges,
  readPrices,
} from '@tollgate/store/trade/charges'
import { type StoreView, openView } from '@tollgate/store/database/open-view'
import { findPriceBook } from '@tollgate/store/trade/price-books'
import type { Place } from '../../config/index.ts'
import { type Progress, silentProgress } from '../progress.ts'
import { checkCharge } from './check-charge.ts'

export interface RecomputeResult {
  readonly name: string
  readonly charges: number
  readonly units: bigint
  /** Number of price versions that the charges name. */
  readonly versions: number
  /** Number of charges with a finding. */
  readonly wrong: number
  /** Descriptions of the first findings. */
  readonly findings: readonly string[]
}

const PAGE_ROWS = 2_000
const BOOKS_KEPT = 8
const FINDINGS_KEPT = 20
const CORRECTION = 'correction'

/** Recomputes every charge since a given time. It changes nothing. */
export async function runRecompute(
  place: Pick<Place, 'sqlDsn' | 'sqlitePath'>,
  { sinceMs, progress = silentProgress }: { sinceMs: number; progress?: Progress },
): Promise<RecomputeResult> {
  const view = await openView({ dsn: place.sqlDsn, sqlitePath: place.sqlitePath })
  try {
    return await recomputeSince(view, sinceMs, progress)
  } finally {
    await view.close()
  }
}

async function recomputeSince(
  { name, db }: StoreView,
  sinceMs: number,
  progress: Progress,
): Promise<RecomputeResult> {
  progress.start('charges', await countCharges(db, sinceMs))
  const tally = new Tally()
  const books = new KeptBooks(db)
  for (let afterId = 0; ;) {
    const rows = await listCharges(db, { sinceMs, afterId, limit: PAGE_ROWS })
    const prices = await readPrices(db, rows.flatMap(namedPrices))
    const lookUp: PriceLookup = (hash) => prices.get(hash)
    const firsts = await readFirstCharges(db, rows.flatMap(correctedCall))
    for (const row of rows) {
      const { op_key: key, price_json: priceJson, usage_json: usageJson } = row
      const charge = { key, units: paidFor(row, firsts), priceJson, usageJson, lookUp }
      const version = versionOf(priceJson)
      const book = await books.of(version)
      tally.add(
        row.amount,
        version,
        checked(() => checkCharge(charge, () => book)),
      )
    }
    progress.advance(rows.length)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE_ROWS) {
      progress.end()
      return { name, ...tally.result() }
    }
    afterId = last.id
  }
}

/** Accumulates the result in constant memory, regardless of the number of charges. */
class Tally {
  #charges = 0
  #units = 0n
  #wrong = 0
  readonly #versions = new Set<number>()
  readonly #findings: string[] = []

  add(units: bigint, version: number, finding: string | undefined): void {
    this.#charges++
    this.#units += units
    this.#versions.add(version)
    if (finding === undefined) return
    this.#wrong++
    if (this.#findings.length < FINDINGS_KEPT) this.#findings.push(finding)
  }

  result(): Omit<RecomputeResult, 'name'> {
    const [charges, units, wrong] = [this.#charges, this.#units, this.#wrong]
    return { charges, units, versions: this.#versions.size, wrong, findings: this.#findings }
  }
}

/**
 * A cache of the most recently loaded price books. Charges are read in order of time, so their versions also
 * come in order.
 */
class KeptBooks {
  readonly #db: StoreView['db']
  readonly #books = new Map<number, PriceBookData | undefined>()

  constructor(db: StoreView['db']) {
    this.#db = db
  }

  async of(version: number): Promise<PriceBookData | undefined> {
    const known = this.#books.get(version)
    if (known !== undefined || this.#books.has(version)) return known
    const [oldest] = this.#books.keys()
    if (oldest !== undefined && this.#books.size >= BOOKS_KEPT) this.#books.delete(oldest)
    const book = await readBook(this.#db, version)
    this.#books.set(version, book)
    return book
  }
}

/** A usage that cannot be read is found when its charge is checked. */
function namedPrices({ usage_json: usageJson }: ChargeRow): readonly string[] {
  try {
    return listPartHashes(usageJson)
  } catch {
    return []
  }
}

function correctedCall({ kind, request_id: id }: ChargeRow): readonly string[] {
  return kind === CORRECTION && id !== null ? [id] : []
}

/** A correction is booked after the charge made by recovery; the two together are the price. */
function paidFor(row: ChargeRow, firsts: ReadonlyMap<string, bigint>): bigint {
  const [call] = correctedCall(row)
  return row.amount + row.waived + (call === undefined ? 0n : (firsts.get(call) ?? 0n))
}

/** An entry that cannot be parsed becomes a finding instead of aborting the run. */
function checked(check: () => string | undefined): string | undefined {
  try {
    return check()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function versionOf(priceJson: string): number {
  const price: unknown = priceJson === '' ? undefined : JSON.parse(priceJson)
  const isObject = typeof price === 'object' && price !== null && 'version' in price
  return isObject ? Number(price.version) : 0
}

/** Options that price books of older releases lack; these defaults leave prices unchanged. */
const YOUNGER = {
  ServiceTierRatio: '{}',
  CreateCache1hRatio: '{}',
  ContextTierRatio: '{}',
  ListedFeesCharged: 'false',
}

type KeptTexts = Parameters<typeof parsePriceOptions>[0] & { readonly ListedFees?: string }

async function readBook(db: StoreView['db'], version: number): Promise<PriceBookData | undefined> {
  const row = await findPriceBook(db, version)
  if (!row) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what publishing wrote: a text for every price option there was
  const texts = JSON.parse(row.content) as KeptTexts
  const fees = readListedFees(texts.ListedFees)
  return buildPriceBook(parsePriceOptions({ ...YOUNGER, ...texts }), version, fees)
}
