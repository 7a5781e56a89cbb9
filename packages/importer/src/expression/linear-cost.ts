import { ExpressionError } from './expression-error.ts'
import type { PriceExpression } from './parse.ts'

/** Dollars for a million tokens, by variable. A variable that is absent counts as part of `p` or `c`. */
export type TokenPrices = ReadonlyMap<string, number>

const VARIABLES = new Set(['p', 'c', 'cr', 'cc', 'cc1h', 'img', 'img_o', 'ai', 'ao'])

/** Reads a sum of variables with fixed prices, the only form of a cost that can be converted. */
export function readTokenPrices(cost: PriceExpression): TokenPrices {
  const { constant, prices } = linear(cost)
  if (constant !== 0) throw new ExpressionError('it has a part that does not depend on tokens')
  for (const [name, price] of prices)
    if (!(price >= 0) || !Number.isFinite(price)) throw new ExpressionError(`${name} has no price`)
  return prices
}

interface Linear {
  readonly constant: number
  readonly prices: TokenPrices
}

function linear(cost: PriceExpression): Linear {
  if (cost.type === 'number') return { constant: cost.value, prices: new Map() }
  if (cost.type === 'name' && VARIABLES.has(cost.name))
    return { constant: 0, prices: new Map([[cost.name, 1]]) }
  if (cost.type !== 'operation') throw new ExpressionError(`${describe(cost)} cannot be converted`)
  const [left, right] = [linear(cost.left), linear(cost.right)]
  if (cost.sign === '+') return sum(left, right)
  if (cost.sign === '*' && right.prices.size === 0) return scaled(left, right.constant)
  if (cost.sign === '*' && left.prices.size === 0) return scaled(right, left.constant)
  if (cost.sign === '/' && right.prices.size === 0 && right.constant > 0)
    return scaled(left, 1 / right.constant)
  throw new ExpressionError(`“${cost.sign}” between these values cannot be converted`)
}

function describe(expression: PriceExpression): string {
  return expression.type === 'name' || expression.type === 'call' ? expression.name : `a ${expression.type}`
}

function sum(left: Linear, right: Linear): Linear {
  const prices = new Map(left.prices)
  for (const [name, price] of right.prices) prices.set(name, (prices.get(name) ?? 0) + price)
  return { constant: left.constant + right.constant, prices }
}

function scaled({ constant, prices }: Linear, factor: number): Linear {
  return {
    constant: constant * factor,
    prices: new Map([...prices].map(([name, price]) => [name, price * factor])),
  }
}
