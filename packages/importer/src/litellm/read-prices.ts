import { isRecord } from '@tollgate/kit/json'
import type { SourceRow } from '../source.ts'

/** What a deployment costs, in dollars per million tokens, by the variables of new-api's expressions. */
type TokenCosts = ReadonlyMap<string, number>

/** Members of `litellm_params` or `model_info`. https://docs.litellm.ai/docs/proxy/custom_pricing */
const MEMBERS: readonly (readonly [string, string])[] = [
  ['input_cost_per_token', 'p'],
  ['output_cost_per_token', 'c'],
  ['cache_read_input_token_cost', 'cr'],
  ['cache_creation_input_token_cost', 'cc'],
]

const MILLION = 1_000_000

export interface PricedDeployment {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
  readonly info: Readonly<Record<string, unknown>>
}

export interface LitellmPrices {
  /** Settings of new-api that hold the prices. */
  readonly options: readonly SourceRow[]
  /** Deployments with a price that cannot be kept. */
  readonly unkept: number
  /** Models whose deployments have different prices; the dearest is kept. */
  readonly differing: number
}

/**
 * Prices become billing expressions, as new-api would have stored them. A deployment that tells no price for its
 * output keeps none, because nobody knows that it is free.
 */
export function readPrices(deployments: readonly PricedDeployment[]): LitellmPrices {
  const priced = deployments.filter(hasPrice)
  const costs = priced.map((deployment) => [deployment.name, readCosts(deployment)] as const)
  const kept = costs.flatMap(([name, cost]) => (cost ? [[name, cost] as const] : []))
  const models = [...Map.groupBy(kept, ([name]) => name)].map(
    ([name, all]) => [name, all.map(([, one]) => one)] as const,
  )
  const expressions = models.map(([name, all]) => [name, writeExpression(findDearest(all))] as const)
  return {
    options: models.length === 0 ? [] : writeOptions(expressions),
    unkept: priced.length - kept.length,
    differing: models.filter(([, all]) => new Set(all.map(writeExpression)).size > 1).length,
  }
}

function writeOptions(expressions: readonly (readonly [string, string])[]): readonly SourceRow[] {
  const modes = expressions.map(([name]) => [name, 'tiered_expr'])
  return [
    { key: 'billing_setting.billing_mode', value: JSON.stringify(Object.fromEntries(modes)) },
    { key: 'billing_setting.billing_expr', value: JSON.stringify(Object.fromEntries(expressions)) },
  ]
}

/** Prices by second, character or picture are prices too, and so are those above a length. */
function hasPrice({ params, info }: PricedDeployment): boolean {
  return [params, info].some((each) => Object.keys(each).some((name) => /(?:^|_)cost(?:_|$)/.test(name)))
}

function readCosts({ params, info }: PricedDeployment): TokenCosts | undefined {
  const members = { ...info, ...params }
  const names = Object.keys(members).filter((name) => /(?:^|_)cost(?:_|$)/.test(name))
  if (names.some((name) => !MEMBERS.some(([member]) => member === name))) return undefined
  const costs = new Map<string, number>()
  for (const [member, variable] of MEMBERS) {
    if (members[member] === undefined) continue
    const perToken = readCost(members[member])
    if (perToken === undefined) return undefined
    // Without the noise of a decimal fraction that was multiplied.
    costs.set(variable, Number((perToken * MILLION).toPrecision(12)))
  }
  return costs.has('p') && costs.has('c') ? costs : undefined
}

function readCost(value: unknown): number | undefined {
  const cost = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : undefined
}

/** What is missing costs as much as input. */
function findDearest(all: readonly TokenCosts[]): TokenCosts {
  const costs = (variable: string) => all.map((each) => each.get(variable) ?? each.get('p') ?? 0)
  return new Map(
    MEMBERS.filter(([, variable]) => all.some((each) => each.has(variable))).map(([, variable]) => [
      variable,
      Math.max(...costs(variable)),
    ]),
  )
}

function writeExpression(costs: TokenCosts): string {
  return `tier("base", ${[...costs].map(([variable, cost]) => `${variable} * ${toPlainText(cost)}`).join(' + ')})`
}

/** Without an exponent, which the expressions do not have. */
function toPlainText(value: number): string {
  return value.toFixed(12).replace(/\.?0+$/, '')
}

/** The `model_info` of an entry of `model_list`. */
export function readModelInfo(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isRecord(entry['model_info']) ? entry['model_info'] : {}
}
