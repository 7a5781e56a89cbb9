import { setTimeout as sleep } from 'node:timers/promises'
import { usageToJson } from '@tollgate/billing/buckets'
import { priceToJson } from '@tollgate/billing/recompute'
import { inputTokens, outputTokens, type Usage } from '@tollgate/dialects/usage'
import type { ReleaseInput, SettleInput } from '@tollgate/ledger/inputs'
import type { SettleResult } from '@tollgate/ledger/results'
import type { App } from '../../app.ts'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { consumptionRow } from '../record/consumption-row.ts'
import { errorRow } from '../record/error-row.ts'
import { type Assessment, assess } from './assess.ts'
import { describeCharge, noteCharge, type SettlementNote } from './note-charge.ts'
import { endOf } from './end-of.ts'
import { listPartPrices, writeParts } from '../../prices/price-usage.ts'
import { recounted } from './recount.ts'
import { waitFor } from './wait-for.ts'

type SettleApp = Pick<App, 'ledger' | 'log' | 'now' | 'inFlight' | 'watch' | 'metrics' | 'longAnswers'>

/** A settlement that the ledger has confirmed. */
export interface Settled {
  /** Quota units; 0 for a call that was released. */
  readonly charged: bigint
  /** What was charged for. */
  readonly usage?: Usage
}

/**
 * Settles the hold, exactly once, with its log row in the same transaction. The result is there at once for most
 * calls. Otherwise it is a promise, which never rejects, of the moment at which the caller may get the rest of the
 * answer: the settlement is written, or its first try failed, or it takes too long. It is `undefined` if the
 * charge is not known then. When all tries fail, recovery charges the last checkpoint later.
 */
export function settle(
  held: Held,
  exit: Outcome,
  app: SettleApp,
): Settled | undefined | Promise<Settled | undefined> {
  try {
    const counted = recounted(held, exit)
    if (!(counted instanceof Promise)) return write(settlementOf(counted, exit, app), app)
    const settling = counted.then((sure) => write(settlementOf(sure, exit, app), app))
    return waitFor(settling, { fulfilled: (settled) => settled, rejected: noteBug }, app)
  } catch (error) {
    return noteBug(error)
  }

  function noteBug(error: unknown): undefined {
    app.log.error(
      { error, requestId: held.call.id, isFinal: true },
      'could not prepare the settlement of a call; its hold is left to recovery',
    )
  }
}

/** The ledger operation that ends a call. */
type Settlement =
  | { readonly type: 'release'; readonly input: ReleaseInput }
  | {
      readonly type: 'charge'
      readonly input: SettleInput
      readonly usage: Usage
      readonly ceiling: bigint
      readonly model: string
      /** What operators read about its charge. */
      readonly notes: readonly SettlementNote[]
    }

function settlementOf(held: Held, exit: Outcome, app: SettleApp): Settlement {
  const { call, settings, ceiling } = held
  const now = app.now()
  const assessment = assess(held, exit)
  noteLongAnswer(held, assessment, app)
  call.countedTokens?.used(tokensOf(assessment))
  app.metrics.ended(held, endOf(held, { exit, assessment, now }))
  if (assessment.type === 'release') {
    const log = errorRow(held, { exit, flags: assessment.flags, now })
    return { type: 'release', input: { holdId: call.id, log } }
  }
  const input = {
    holdId: call.id,
    amount: assessment.units,
    flags: assessment.flags,
    channelId: assessment.exit.channel.id,
    usageJson: usageToJson(assessment.usage, writeParts(assessment)),
    priceJson: held.isMoved || assessment.price !== held.price ? priceToJson(assessment.price) : undefined,
    partPrices: listPartPrices(assessment),
    log: settings.isConsumptionLogged ? consumptionRow(held, assessment, now) : undefined,
  }
  const { model } = held.ask
  const notes = describeCharge(held, assessment, app.metrics.charges)
  return { type: 'charge', input, usage: assessment.usage, ceiling, model, notes }
}

/** The limit of a call does not bound the next one to a model that wrote more than it was asked for. */
function noteLongAnswer(
  { ask, bounds }: Held,
  assessment: Assessment,
  { longAnswers }: Pick<App, 'longAnswers'>,
): void {
  if (assessment.type === 'release' || ask.outputTokensMax === undefined || bounds.limits.isUnknown !== true)
    return
  const { channel, upstreamModel } = assessment.exit
  const most = ask.outputTokensMax * bounds.choices
  if (outputTokens(assessment.usage) > most) longAnswers.note(channel.id, upstreamModel)
}

function tokensOf(assessment: Assessment): number {
  if (assessment.type === 'release') return 0
  const all = [assessment.usage, ...assessment.parts.map(({ usage }) => usage)]
  return all.reduce((sum, usage) => sum + inputTokens(usage) + outputTokens(usage), 0)
}

/** Writes the settlement. If the first try fails, further tries follow, for which nobody waits. */
function write(settlement: Settlement, app: SettleApp): Settled | undefined | Promise<Settled | undefined> {
  const fulfilled = (result: SettleResult | void) => settledBy(settlement, result, app)
  const rejected = (reason: unknown): undefined => {
    app.inFlight.track(writeLater(settlement, reason, app))
  }
  try {
    const result = settlementIn(app.ledger, settlement)
    return result instanceof Promise ? waitFor(result, { fulfilled, rejected }, app) : fulfilled(result)
  } catch (error) {
    return rejected(error)
  }
}

/** Tries again after a first try that failed. Never rejects. */
async function writeLater(settlement: Settlement, reason: unknown, app: SettleApp): Promise<void> {
  const { holdId: requestId } = settlement.input
  const again = () => settlementIn(app.ledger, settlement)
  const first = Promise.reject(reason)
  try {
    const result = await writeWithRetries(again, { requestId, what: 'call', log: app.log, first })
    settledBy(settlement, result, app)
  } catch {
    // It is logged; recovery charges the call.
  }
}

function settlementIn(
  ledger: SettleApp['ledger'],
  settlement: Settlement,
): SettleResult | void | Promise<SettleResult | void> {
  return settlement.type === 'release' ? ledger.release(settlement.input) : ledger.settle(settlement.input)
}

const RELEASED: Settled = { charged: 0n }

function settledBy(
  settlement: Settlement,
  result: SettleResult | void,
  { log, metrics }: Pick<SettleApp, 'log' | 'metrics'>,
): Settled {
  if (settlement.type === 'release' || result === undefined) return RELEASED
  const { input, usage, ceiling, model, notes } = settlement
  const { charged, waived, late } = result
  noteCharge(metrics.charges, { channelId: input.channelId ?? 0, model, notes, charged, waived })
  if (waived > 0n || late)
    log.warn(
      { requestId: input.holdId, channelId: input.channelId, model, waived, late, ceiling },
      'settlement waived part of the charge or came after recovery',
    )
  return { charged, usage }
}

/** Pauses between tries. */
const RETRY_MS = [50, 500, 5_000]

interface Writing<Result> {
  readonly requestId: string
  readonly what: 'call' | 'task'
  readonly log: App['log']
  /** A try that was made before. */
  readonly first?: Promise<Result>
}

/**
 * Writes a settlement, again after each failure; rejects with the last one. Settlements are idempotent by
 * call id, so repeating one whose result was lost is harmless.
 */
export async function writeWithRetries<Result>(
  write: () => Result | Promise<Result>,
  { requestId, what, log, first }: Writing<Result>,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await (tries === 0 && first !== undefined ? first : write())
    } catch (error) {
      const pauseMs = RETRY_MS[tries]
      log.error(
        { error, requestId, isFinal: pauseMs === undefined },
        `could not write the settlement of a ${what}`,
      )
      if (pauseMs === undefined) throw error
      await sleep(pauseMs, undefined, { ref: false })
    }
  }
}
