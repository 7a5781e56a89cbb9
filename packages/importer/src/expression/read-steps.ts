import { readTokenPrices, type TokenPrices } from './linear-cost.ts'
import { ExpressionError } from './expression-error.ts'
import type { PriceExpression } from './parse.ts'

/** The price of calls with more input than `above`, up to the next step. */
export interface PriceStep {
  readonly above: number
  /** Either prices of tokens, or a fixed price of the whole call in dollars. */
  readonly cost:
    | { readonly type: 'tokens'; readonly prices: TokenPrices }
    | { readonly type: 'fixed'; readonly price: number }
}

export interface PricePlan {
  /** Ascending; the first one begins at 0. */
  readonly steps: readonly PriceStep[]
  /** Factors by service tier. */
  readonly tiers: ReadonlyMap<string, number>
}

/** Reads prices by length of the input and factors by service tier; anything else is refused in words. */
export function readPricePlan(expression: PriceExpression): PricePlan {
  const tiers = new Map<string, number>()
  let scale = 1
  const bases = splitFactors(expression).filter((factor) => {
    if (factor.type === 'number') scale *= factor.value
    const tier = readTierFactor(factor)
    if (tier) tiers.set(tier.name, tier.factor)
    return factor.type !== 'number' && tier === undefined
  })
  const [base] = bases
  if (base === undefined || bases.length > 1) throw new ExpressionError('it multiplies prices in another way')
  const steps = readSteps(base, { above: 0, upTo: Infinity })
  return { steps: steps.map((step) => scaleStep(step, scale)), tiers }
}

/** A product of costs is no price, so a factor is told from a cost by having no variable of its own. */
function splitFactors(expression: PriceExpression): readonly PriceExpression[] {
  if (expression.type !== 'operation' || expression.sign !== '*' || isCost(expression)) return [expression]
  return [...splitFactors(expression.left), ...splitFactors(expression.right)]
}

/** `p * 3`: a variable and its price, not a factor of a tier. */
function isCost(expression: PriceExpression): boolean {
  if (expression.type === 'name') return true
  return expression.type === 'operation' && (isCost(expression.left) || isCost(expression.right))
}

/** `param("service_tier") == "fast" ? 2 : 1` */
function readTierFactor(factor: PriceExpression): { name: string; factor: number } | undefined {
  if (factor.type !== 'choice' || factor.whenTrue.type !== 'number' || factor.whenFalse.type !== 'number')
    return undefined
  const { condition } = factor
  const isAsked =
    condition.type === 'operation' &&
    condition.sign === '==' &&
    condition.left.type === 'call' &&
    condition.left.name === 'param' &&
    condition.left.values[0]?.type === 'text' &&
    condition.left.values[0].value === 'service_tier'
  if (!isAsked || condition.right.type !== 'text' || factor.whenFalse.value !== 1)
    throw new ExpressionError('a factor depends on something other than the service tier')
  if (!(factor.whenTrue.value > 0)) throw new ExpressionError('a service tier is free')
  return { name: condition.right.value, factor: factor.whenTrue.value }
}

interface Interval {
  readonly above: number
  readonly upTo: number
}

function readSteps(expression: PriceExpression, interval: Interval): readonly PriceStep[] {
  if (expression.type !== 'choice') return [{ above: interval.above, cost: readCost(expression) }]
  const { border, isShort } = readBorder(expression.condition, expression)
  const [short, long] = isShort
    ? [expression.whenTrue, expression.whenFalse]
    : [expression.whenFalse, expression.whenTrue]
  return [
    ...(border > interval.above
      ? readSteps(short, { above: interval.above, upTo: Math.min(border, interval.upTo) })
      : []),
    ...(border < interval.upTo
      ? readSteps(long, { above: Math.max(border, interval.above), upTo: interval.upTo })
      : []),
  ]
}

/** The longest input of the shorter side, and whether the condition holds there. */
function readBorder(
  condition: PriceExpression,
  whole: PriceExpression,
): { border: number; isShort: boolean } {
  if (condition.type !== 'operation' || condition.left.type !== 'name' || condition.right.type !== 'number')
    throw new ExpressionError('a price depends on something other than the length of the input')
  const { name } = condition.left
  if (name !== 'len' && (name !== 'p' || hasInputParts(whole)))
    throw new ExpressionError(`a price depends on ${name}, not on the length of the whole input`)
  const { value } = condition.right
  if (!Number.isInteger(value)) throw new ExpressionError('a step is no whole number')
  switch (condition.sign) {
    case '<=':
      return { border: value, isShort: true }
    case '<':
      return { border: value - 1, isShort: true }
    case '>':
      return { border: value, isShort: false }
    case '>=':
      return { border: value - 1, isShort: false }
    default:
      throw new ExpressionError('a step is no comparison')
  }
}

const INPUT_PARTS = new Set(['cr', 'cc', 'cc1h', 'img', 'ai', 'img_cr'])

/** `p` leaves out the parts that have prices of their own, and then it is not the length of the input. */
function hasInputParts(expression: PriceExpression): boolean {
  switch (expression.type) {
    case 'name':
      return INPUT_PARTS.has(expression.name)
    case 'operation':
      return hasInputParts(expression.left) || hasInputParts(expression.right)
    case 'choice':
      return hasInputParts(expression.whenTrue) || hasInputParts(expression.whenFalse)
    case 'call':
      return expression.values.some(hasInputParts)
    case 'number':
    case 'text':
      return false
    default:
      return expression satisfies never
  }
}

function readCost(expression: PriceExpression): PriceStep['cost'] {
  const cost = expression.type === 'call' && expression.name === 'tier' ? expression.values[1] : expression
  if (cost === undefined) throw new ExpressionError('a tier has no price')
  if (cost.type !== 'call' || cost.name !== 'fixed') return { type: 'tokens', prices: readTokenPrices(cost) }
  const [price] = cost.values
  if (price?.type !== 'number') throw new ExpressionError('a fixed price is no number')
  return { type: 'fixed', price: price.value }
}

function scaleStep({ above, cost }: PriceStep, factor: number): PriceStep {
  if (cost.type === 'fixed') return { above, cost: { type: 'fixed', price: cost.price * factor } }
  const prices = new Map([...cost.prices].map(([name, price]) => [name, price * factor]))
  return { above, cost: { type: 'tokens', prices } }
}
