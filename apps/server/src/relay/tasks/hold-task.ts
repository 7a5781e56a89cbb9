import { chargeUnits } from '@tollgate/billing/charge'
import { problem } from '@tollgate/problems/problem'
import { isTrusted } from '../../snapshots/trust.ts'
import type { App } from '../app.ts'
import { refusalOf } from '../stations/hold/refusal.ts'
import { ledgerLimits, linked, reserve, reserveInput } from '../stations/hold/reserve.ts'
import { type AdmittedTask, type HeldTask, usageOf } from './held-task.ts'
import { priceOf } from './price.ts'

/** Holds the highest price of the task's groups. A following group without a price is skipped. */
export async function holdTask(task: AdmittedTask, app: App): Promise<HeldTask> {
  const { caller, settings } = task
  const startedAt = app.clock.monotonicMs()
  const first = priced(task, app)
  if (first === undefined) throw problem('model_price_error', { model: task.ask.model })
  const rest = task.fallbacks.flatMap((plan) => priced({ ...task, ...plan }, app) ?? [])
  const units = [first, ...rest]
    .map((plan) => plan.units)
    .reduce((left, right) => (left > right ? left : right))
  const limits = ledgerLimits(caller.token, app.clock.nowMs())
  const amounts = { hold: units, ceiling: units }
  const overdraft = { factor: settings.overdraftFactor, admitsAlone: true }
  const input = reserveInput(task, { price: first.price, amounts, limits, overdraft })
  const result = await reserve(app.ledger, input, isTrusted(caller.owner, settings))
  if (result.type !== 'reserved') throw refusalOf(result, { caller, settings, needed: units, app })
  const common = { ceiling: units, holdMs: app.clock.monotonicMs() - startedAt }
  return linked<HeldTask>(
    { ...first, ...common },
    rest.map((plan) => ({ ...plan, ...common, isMoved: true })),
  )
}

function priced(task: AdmittedTask, app: App) {
  const price = priceOf(task, app.snapshots.prices())
  return price && { ...task, price, units: chargeUnits(price, usageOf({ ...task, price })) }
}
