import { chargeUnits } from '@tollgate/billing/charge'
import { dropImpossibleCounts } from '@tollgate/billing/model-limits'
import type { Reading } from '@tollgate/dialects/dialect'
import { fillLostCounts, inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import type { SettleFlag } from '@tollgate/ledger/inputs'
import type { Delivered, Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { countedUsage } from './counted.ts'
import { priceUsage, type PricedUsage, raiseToCost } from '../../prices/price-usage.ts'
import { listUnpricedFees, settleFees } from '../../prices/settle-fees.ts'

/** What a call costs, before the ledger limits the charge to the ceiling. */
export type Assessment = Release | Charged

export interface Release {
  readonly type: 'release'
  readonly flags: readonly SettleFlag[]
}

export interface Charged extends PricedUsage {
  readonly type: 'charge'
  readonly flags: readonly SettleFlag[]
  readonly exit: Delivered
}

/**
 * What is charged for each outcome of a call:
 *
 * | outcome | charge | flags |
 * |---|---|---|
 * | failed, or broken before any usable output | 0, released | |
 * | complete, reported usage is valid | price(usage); the ledger limits it to the ceiling and marks the rest `waived` | |
 * | complete, usage missing or invalid | price(local count) | estimated |
 * | broken after output began | input + output so far, reported or counted, whichever is more | partial |
 * | cancelled (gateway stopping, or the call took too long) | counted so far | partial |
 * | displaced (caller gone, and more later ones than are followed) | input + output so far, reported or counted, whichever is more; the price of a call or an image once the upstream has accepted it | partial |
 * | cut (balance exhausted) | counted so far | cut |
 *
 * The flag `client_gone` is added to any of them when the caller had left.
 */
export function assess(held: Held, exit: Outcome): Assessment {
  const gone: SettleFlag[] = held.call.isGone ? ['client_gone'] : []
  if (exit.type === 'failed' || isFruitless(held, exit)) return { type: 'release', flags: gone }
  const reportedUsage = resolveDoubt(held, believe(held, exit.reading))
  // Reading the count of a whole answer takes a pass over all of its bytes.
  const tokens = reportedUsage
    ? atLeastCounted(held, completed(reportedUsage, exit), exit)
    : countedUsage(held, exit.reading.outputTokensCounted, exit.serviceTier)
  const usage = settleFees(held, tokens, exit)
  const priced = raiseToCost(held, priceUsage(held, usage, exit), exit)
  const isWhole = reportedUsage !== undefined && reportedUsage.isFilled !== true
  const isReported = isWhole && exit.reading.isEstimated !== true && !priced.isPartLost
  const flags = [...gone, ...flagsOf(exit, isReported)]
  if (priced.servedOther !== undefined) flags.push('served_other')
  if (held.fees !== undefined && listUnpricedFees(priced, usage).length > 0) flags.push('fee_unknown')
  if (usage.isMended === true || usage.parts?.some((part) => part.usage.isMended) === true)
    flags.push('usage_mended')
  return { type: 'charge', ...priced, flags, exit }
}

/** An upstream that worked for a caller who left takes its price for the input, whether or not output has begun. */
function isFruitless(held: Held, { ending, reading, isUnaccepted }: Delivered): boolean {
  if (ending === 'displaced') return isUnaccepted === true && isPricedByPiece(held)
  return ending !== 'complete' && !reading.hasOutput
}

function isPricedByPiece({ price, bounds }: Held): boolean {
  return price.rule.type === 'call' || bounds.pictures !== undefined
}

/** The report of a displaced call is not its last one, and may lack what was sent. */
function atLeastCounted(held: Held, usage: Usage, { ending, reading, serviceTier }: Delivered): Usage {
  if (ending !== 'displaced') return usage
  const counted = countedUsage(held, reading.outputTokensCounted, serviceTier)
  return chargeUnits(held.price, counted) > chargeUnits(held.price, usage) ? counted : usage
}

function flagsOf({ ending }: Delivered, isReported: boolean): SettleFlag[] {
  if (ending === 'complete') return isReported ? [] : ['estimated']
  return [ending === 'cut' ? 'cut' : 'partial']
}

interface BelievedUsage extends Usage {
  /** The gateway's own count stands for a member that is none. */
  readonly isFilled?: true
}

/**
 * The reported usage, with the gateway's own count for each member that is none. A report of zero tokens is no
 * report, because a response always uses some; only a search has no tokens.
 */
function believe(held: Held, reading: Reading): BelievedUsage | undefined {
  const { usage } = reading
  if (usage === undefined || (isNothing(usage) && !held.operation.isWithoutTokens)) return undefined
  const possible = dropImpossibleCounts(usage, held.bounds)
  if (possible.lost === undefined) return possible
  if (isNothing(possible)) return undefined
  // Reading the count of a whole answer takes a pass over all of its bytes.
  const counted = { input: () => held.bounds.inputTokensCounted, output: () => reading.outputTokensCounted }
  return { ...fillLostCounts(possible, counted), isFilled: true }
}

/**
 * A report whose cached input is more than its input is either exclusive, or wrong about the input. The reading
 * that is nearer to the gateway's own count holds.
 */
function resolveDoubt({ bounds }: Held, usage: BelievedUsage | undefined): BelievedUsage | undefined {
  if (usage?.doubtfulInput === undefined) return usage
  const most = inputTokens(usage)
  const least = most - usage.doubtfulInput
  const counted = bounds.inputTokensCounted
  if (Math.abs(counted - most) <= Math.abs(counted - least)) return usage
  return { ...usage, inputText: Math.max(0, usage.inputText - usage.doubtfulInput) }
}

function isNothing(usage: Usage): boolean {
  return inputTokens(usage) + outputTokens(usage) + (usage.images ?? 0) + (usage.turns ?? 0) === 0
}

/**
 * Before the end of a response an upstream may have reported only its input; output delivered since then is
 * added.
 */
function completed(usage: Usage, { ending, reading }: Delivered): Usage {
  if (ending === 'complete' || usage.images !== undefined) return usage
  const unreported = reading.outputTokensCounted - outputTokens(usage)
  if (unreported <= 0) return usage
  return { ...usage, outputText: usage.outputText + unreported }
}
