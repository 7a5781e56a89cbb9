import { recompute, type PriceLookup } from '@tollgate/billing/recompute'
import type { AuditFinding, AuditReport } from '../audit-report.ts'
import { AccountSums } from './account-sums.ts'
import type { AccountId } from '../account.ts'
import type { AccountState, AllotmentState, EntryState, HoldState, RollupState } from './state.ts'

/** A consistent view of the ledger. Each list is read once. */
export interface AuditSource {
  accounts(): Iterable<AccountState>
  holds(): Iterable<HoldState>
  allotments(): Iterable<AllotmentState>
  /** Accounts with an allotment whose instance has ended in order, so that nobody will return it. */
  allotmentsOfEnded(): Iterable<AccountId>
  /**
   * Accounts of which a live process has set aside other quota than is free there, although it has no call in flight and
   * has folded nothing for `QUIET_MS`.
   */
  allotmentsOutOfReach(): Iterable<OutOfReach>
  entries(): Iterable<EntryState>
  rollups(): Iterable<RollupState>
  /** JSON of the price with this content hash. */
  readonly price: PriceLookup
  /** Operation keys that occur in more than one entry. */
  repeatedKeys(): Iterable<string>
  /** Holds that are still open although their call was settled or recovered. */
  holdsOfEndedCalls(): Iterable<string>
  /** Subjects of totals that differ from their entries up to the watermark. */
  wrongTotals(): Iterable<string>
}

export type OutOfReach = Pick<AllotmentState, 'account' | 'instanceId' | 'amount' | 'free'>

/** A process with lines that are not folded folds them within a fraction of this, or raises an alarm. */
export const QUIET_MS = 60_000

/** Bound on reported findings: a damaged store could produce millions. */
const FINDINGS_MAX = 1_000

/** Compares every account with its entries and holds, and checks all rules of `AuditRule`. Read-only. */
export function auditLedger(source: AuditSource): AuditedLedger {
  const audit = new Audit()
  for (const rollup of source.rollups()) audit.rollup(rollup)
  for (const hold of source.holds()) audit.hold(hold)
  for (const allotment of source.allotments()) audit.allotment(allotment)
  for (const account of source.allotmentsOfEnded()) audit.allotmentOfEnded(account)
  for (const row of source.allotmentsOutOfReach()) audit.allotmentOutOfReach(row)
  for (const entry of source.entries()) audit.entry(entry, source.price)
  for (const key of source.repeatedKeys()) audit.repeatedKey(key)
  for (const id of source.holdsOfEndedCalls()) audit.holdOfEndedCall(id)
  for (const subject of source.wrongTotals()) audit.wrongTotal(subject)
  for (const account of source.accounts()) audit.account(account)
  return audit.report()
}

export type AuditedLedger = Omit<AuditReport, 'durationMs'>

/**
 * Audits row by row. Rollups, holds, allotments and entries come before accounts, and entries in the order in which they
 * were made. All rows must be from one snapshot.
 */
export class Audit {
  readonly #findings: AuditFinding[] = []
  readonly #sums = new AccountSums()
  readonly #totals = { granted: 0n, remaining: 0n, reserved: 0n, used: 0n, debt: 0n }
  #holds = 0
  #entries = 0
  #accounts = 0

  rollup(rollup: RollupState): void {
    this.#sums.addRollup(rollup)
  }

  hold(hold: HoldState): void {
    this.#holds++
    this.#sums.addHold(hold)
    if (hold.amount < 0n || hold.amount > hold.ceiling)
      this.#find({
        rule: 'I10',
        account: hold.userAccount,
        detail: `hold ${hold.id} is not within its ceiling`,
      })
  }

  allotment(allotment: AllotmentState): void {
    const { account, instanceId, amount, free, budgetAmount, budgetFree } = allotment
    this.#sums.addAllotment(allotment)
    const isSound = free >= 0n && free <= amount && budgetFree >= 0n && budgetFree <= budgetAmount
    if (!isSound)
      this.#find({ rule: 'I10', account, detail: `the allotment of ${instanceId} has more free than it has` })
  }

  allotmentOfEnded(account: AccountId): void {
    this.#find({ rule: 'I8', account, detail: 'an allotment outlived its process' })
  }

  allotmentOutOfReach({ account, instanceId, amount, free }: OutOfReach): void {
    const detail = `of ${amount} set aside for ${instanceId}, which makes no call, only ${free} can be spent`
    this.#find({ rule: 'I11', account, detail })
  }

  /** `lookUp` returns the prices that parts of the entry's usage name. */
  entry(entry: EntryState, lookUp?: PriceLookup): void {
    this.#entries++
    this.#sums.addEntry(entry)
    const account = entry.userAccount
    const isSigned = entry.kind === 'adjust' || entry.kind === 'correction'
    if (entry.amount < 0n && !isSigned)
      this.#find({ rule: 'I10', account, detail: `entry ${entry.opKey} is negative` })
    const beyond = beyondCeiling(entry)
    if (beyond) this.#find({ rule: 'I6', account, detail: beyond })
    const wrong = wrongPrice(entry, { sums: this.#sums, lookUp })
    if (wrong) this.#find({ rule: 'I9', account, detail: wrong })
  }

  repeatedKey(key: string): void {
    this.#find({ rule: 'I5', detail: `the key ${key} has several entries` })
  }

  holdOfEndedCall(id: string): void {
    this.#find({ rule: 'I8', detail: `the hold of call ${id} outlived it` })
  }

  wrongTotal(subject: string): void {
    this.#find({ rule: 'I4', detail: `the total of ${subject} differs` })
  }

  account(account: AccountState): void {
    this.#accounts++
    for (const name of TOTALLED) this.#totals[name] += account[name]
    for (const finding of compareAccount(account, this.#sums)) this.#find(finding)
  }

  report(): AuditedLedger {
    for (const account of this.#sums.unseen())
      this.#find({ rule: 'I3', account, detail: 'entries or holds name an account that does not exist' })
    return {
      accounts: this.#accounts,
      entries: this.#entries,
      holds: this.#holds,
      totals: { ...this.#totals },
      findings: this.#findings,
    }
  }

  #find(finding: AuditFinding): void {
    if (this.#findings.length < FINDINGS_MAX) this.#findings.push(finding)
  }
}

/**
 * An entry with a waived amount must carry the flag, and a recovered charge must not exceed the ceiling in
 * its note.
 */
function beyondCeiling({ opKey, amount, waived, flags, note }: EntryState): string | undefined {
  if (waived > 0n !== flags.includes('waived')) return `entry ${opKey} waives ${waived} and its flags differ`
  const ceiling = flags.includes('recovered') ? /^ceiling (\d+)$/.exec(note ?? '')?.[1] : undefined
  if (ceiling === undefined || amount <= BigInt(ceiling)) return undefined
  return `entry ${opKey} charges ${amount}, above its ceiling of ${ceiling}`
}

/** A correction follows its recovered entry; the sum of both must equal the price. */
function wrongPrice(
  entry: EntryState,
  { sums, lookUp }: { readonly sums: AccountSums; readonly lookUp: PriceLookup | undefined },
): string | undefined {
  const { priceJson, usageJson, requestId } = entry
  if (!usageJson || requestId === undefined) return undefined
  if (!priceJson) return `entry ${entry.opKey} names a price that is not kept`
  const paid =
    entry.amount + entry.waived + (entry.kind === 'correction' ? sums.recoveredCharge(requestId) : 0n)
  try {
    const price = recompute(priceJson, usageJson, lookUp)
    return price === paid ? undefined : `entry ${entry.opKey} says ${paid}, its usage costs ${price}`
  } catch (error) {
    return `entry ${entry.opKey} cannot be priced again: ${error instanceof Error ? error.message : String(error)}`
  }
}

const TOTALLED = ['granted', 'remaining', 'reserved', 'used', 'debt'] as const

function compareAccount(account: AccountState, sums: AccountSums): readonly AuditFinding[] {
  const { id, granted, remaining, reserved, used, debt, followed, openHolds, exposed } = account
  const own = sums.take(id)
  const rules = [
    ['I1', granted + debt, remaining + reserved + used, 'granted + debt'],
    ['I2', remaining >= 0n && reserved >= 0n && debt >= 0n, true, 'no part negative'],
    ['I2', remaining === 0n || debt === 0n, true, 'no debt while something remains'],
    ['I3', reserved, own.held, 'reserved'],
    ['I3', openHolds, own.holds, 'open holds'],
    ['I6', exposed, own.exposed, 'exposed'],
    ['I3', granted - followed, own.granted, 'granted'],
    ['I4', used, own.used, 'used'],
  ] as const
  return rules.flatMap(([rule, actual, expected, what]) =>
    actual === expected ? [] : [{ rule, account: id, detail: `${what}: ${actual}, expected ${expected}` }],
  )
}
