import { setTimeout as sleep } from 'node:timers/promises'
import { usageToJson } from '@tollgate/billing/buckets'
import { priceToJson } from '@tollgate/billing/recompute'
import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import type { ReleaseInput, SettleInput } from '@tollgate/ledger/inputs'
import type { App } from '../../app.ts'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { consumptionRow } from '../record/consumption-row.ts'
import { errorRow } from '../record/error-row.ts'
import { type Assessment, assess } from './assess.ts'
import { recounted } from './recount.ts'

type SettleApp = Pick<App, 'ledger' | 'log' | 'now'>

/**
 * Settles the hold, exactly once, with its log row in the same transaction. Never rejects: when all tries
 * fail, recovery charges the last checkpoint later.
 */
export async function settle(held: Held, exit: Outcome, app: SettleApp): Promise<void> {
  try {
    const counted = recounted(held, exit)
    // Most calls need no exact count; their settlement is then sent in the same turn of the event loop.
    const sure = counted instanceof Promise ? await counted : counted
    const settlement = settlementOf(sure, exit, app.now())
    // Returned and not awaited, so that the memory of the call can be freed while the ledger writes.
    return writeWithRetries(() => write(settlement, app), {
      requestId: held.call.id,
      what: 'call',
      log: app.log,
    }).catch(() => undefined)
  } catch (error) {
    app.log.error(
      { error, requestId: held.call.id, isFinal: true },
      'could not prepare the settlement of a call; its hold is left to recovery',
    )
  }
}

/** The ledger operation that ends a call. */
type Settlement =
  | { readonly type: 'release'; readonly input: ReleaseInput }
  | { readonly type: 'charge'; readonly input: SettleInput; readonly ceiling: bigint; readonly model: string }

function settlementOf(held: Held, exit: Outcome, now: number): Settlement {
  const { call, settings, ceiling } = held
  const assessment = assess(held, exit)
  call.countedTokens?.used(tokensOf(assessment))
  if (assessment.type === 'release') {
    const log = errorRow(held, { exit, flags: assessment.flags, now })
    return { type: 'release', input: { holdId: call.id, log } }
  }
  const input = {
    holdId: call.id,
    amount: assessment.units,
    flags: assessment.flags,
    channelId: assessment.exit.channel.id,
    usageJson: usageToJson(assessment.usage),
    priceJson: held.isMoved ? priceToJson(held.price) : undefined,
    log: settings.isConsumptionLogged ? consumptionRow(held, assessment, now) : undefined,
  }
  return { type: 'charge', input, ceiling, model: held.ask.model }
}

function tokensOf(assessment: Assessment): number {
  return assessment.type === 'release' ? 0 : inputTokens(assessment.usage) + outputTokens(assessment.usage)
}

async function write(settlement: Settlement, { ledger, log }: SettleApp): Promise<void> {
  if (settlement.type === 'release') return ledger.release(settlement.input)
  const { input, ceiling, model } = settlement
  const { holdId: requestId, channelId } = input
  const { waived, late } = await ledger.settle(input)
  if (waived > 0n || late)
    log.warn(
      { requestId, channelId, model, waived, late, ceiling },
      'settlement waived part of the charge or came after recovery',
    )
}

/** Pauses between tries. */
const RETRY_MS = [50, 500, 5_000]

interface Writing {
  readonly requestId: string
  readonly what: 'call' | 'task'
  readonly log: App['log']
}

/**
 * Writes a settlement, again after each failure; rejects with the last one. Settlements are idempotent by
 * call id, so repeating one whose result was lost is harmless.
 */
export async function writeWithRetries<Result>(
  write: () => Promise<Result>,
  { requestId, what, log }: Writing,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await write()
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
