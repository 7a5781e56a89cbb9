import { setTimeout as sleep } from 'node:timers/promises'
import { usageToJson } from '@tollgate/billing/buckets'
import { priceToJson } from '@tollgate/billing/recompute'
import { inputTokens, outputTokens } from '@tollgate/dialects/usage'
import type { ReleaseInput, SettleInput } from '@tollgate/ledger/inputs'
import type { SettleResult } from '@tollgate/ledger/results'
import type { App } from '../../app.ts'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { consumptionRow } from '../record/consumption-row.ts'
import { errorRow } from '../record/error-row.ts'
import { type Assessment, assess } from './assess.ts'
import { recounted } from './recount.ts'
import { waitFor } from './wait-for.ts'

type SettleApp = Pick<App, 'ledger' | 'log' | 'now' | 'inFlight' | 'watch'>

/**
 * Settles the hold, exactly once, with its log row in the same transaction. The result is `undefined` if that
 * is done, as it is for most calls. Otherwise it is a promise, which never rejects, of the moment at which the
 * caller may get the rest of the answer: the settlement is written, or its first try failed, or it takes too
 * long. When all tries fail, recovery charges the last checkpoint later.
 */
export function settle(held: Held, exit: Outcome, app: SettleApp): Promise<void> | undefined {
  try {
    const counted = recounted(held, exit)
    const settling =
      counted instanceof Promise
        ? counted.then((sure) => write(settlementOf(sure, exit, app.now()), app)).catch(noteBug)
        : write(settlementOf(counted, exit, app.now()), app)
    return settling && waitFor(settling, app)
  } catch (error) {
    noteBug(error)
    return undefined
  }

  function noteBug(error: unknown): void {
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

/** Writes the settlement. The promise resolves after the first try and never rejects; further tries follow. */
function write(settlement: Settlement, app: SettleApp): Promise<void> | undefined {
  const tryOnce = () => writeOnce(settlement, app)
  const first = begun(tryOnce)
  if (first === undefined) return undefined
  const { holdId: requestId } = settlement.input
  const again = () => writeWithRetries(tryOnce, { requestId, what: 'call', log: app.log, first })
  return first.catch(() => app.inFlight.track(again().catch(noop)))
}

const noop = (): void => undefined

/** `undefined`: it is done. */
function begun(work: () => void | Promise<void>): Promise<void> | undefined {
  try {
    return work() ?? undefined
  } catch (error) {
    return Promise.reject(error)
  }
}

function writeOnce(settlement: Settlement, { ledger, log }: SettleApp): void | Promise<void> {
  if (settlement.type === 'release') return ledger.release(settlement.input)
  const { input, ceiling, model } = settlement
  const { holdId: requestId, channelId } = input
  const note = ({ waived, late }: SettleResult): void => {
    if (waived > 0n || late)
      log.warn(
        { requestId, channelId, model, waived, late, ceiling },
        'settlement waived part of the charge or came after recovery',
      )
  }
  const settled = ledger.settle(input)
  return settled instanceof Promise ? settled.then(note) : note(settled)
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
