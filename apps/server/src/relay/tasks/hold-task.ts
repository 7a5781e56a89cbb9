import { chargeUnits } from '@tollgate/billing/charge'
import type { Price } from '@tollgate/billing/price'
import type { PriceBookData } from '@tollgate/billing/price-book'
import { withVideoSize } from '@tollgate/billing/video-price'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { problem } from '@tollgate/problems/problem'
import { isTrusted } from '../../snapshots/trust.ts'
import { usageOfTokens } from '../../tasks/token-charge.ts'
import type { App } from '../app.ts'
import { ledgerLimits, linked, refusalOf, reserve, reserveInput } from '../stations/hold/reserve.ts'
import type { Held } from '../stations/hold/held.ts'
import type { AdmittedTask } from './admit-task.ts'

/** A task submission whose price is held: `ceiling` is the highest price of any of its groups. */
export interface HeldTask
  extends AdmittedTask, Pick<Held, 'price' | 'units' | 'ceiling' | 'isMoved' | 'holdMs'> {
  /** The same submission in the next group, tried when all channels of this one refused it. */
  readonly next?: HeldTask
}

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
  const isOfTrusted = isTrusted(caller.owner, settings)
  const limits = ledgerLimits(caller.token, app.clock.nowMs())
  const amounts = { hold: units, ceiling: units }
  const overdraft = { factor: settings.overdraftFactor, admitsAlone: true }
  const input = {
    ...reserveInput(task, { price: first.price, amounts, limits, overdraft }),
    // Another process may end the task.
    isShared: true,
  }
  const result = await reserve({ ledger: app.ledger, input, isOfTrusted }, (placed) => placed)
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

/**
 * The price of a submission: a fixed price, or one by tokens if the upstream reports their number. Other
 * tasks cannot be priced by ratio. A price for the qualities of the task takes precedence.
 */
function priceOf(task: AdmittedTask, book: PriceBookData): Price | undefined {
  const { ask, priceNames = [], pixels, group, caller, tokens } = task
  const find = (name: string) => {
    const question = { model: name, group, acceptsUnpriced: false, ownGroup: caller.owner.group }
    const price = book.find(question)
    return price?.rule.type === 'call' || tokens !== undefined ? price : undefined
  }
  const own = priceNames.map(find).find((price) => price !== undefined)
  if (own !== undefined) return own
  const price = find(ask.model)
  return price && withVideoSize(price, { model: ask.model, size: pixels })
}

/**
 * The usage of a submission: one unit at a fixed price; the seconds of a video; or tokens. Tokens are charged
 * at the highest possible number, and the excess is refunded once the upstream reports the real one.
 */
export function usageOf({ price, seconds, tokens }: Pick<HeldTask, 'price' | 'seconds' | 'tokens'>): Usage {
  if (price.rule.type === 'ratio' && tokens !== undefined) return usageOfTokens(tokens.most)
  return { ...noUsage, ...(seconds !== undefined && { seconds }), toolCalls: { submission: 1 } }
}
