import { toldCosts } from '@tollgate/catalogue/usage/told-costs'
import { isRecord } from '@tollgate/kit/json'

/** What a vendor told that a call cost. */
export interface ToldCost {
  /** In the row's currency. */
  readonly amount: number
  readonly units: bigint
  /** It is too far from what the gateway computes to be believed. */
  readonly isDoubted: boolean
}

/** A told cost is believed from a twentieth of ours to twenty times ours. */
const FACTOR = 20n

interface ToldCostInput {
  /** Id of the provider. */
  readonly provider: string
  /** The vendor's usage object. */
  readonly raw: unknown
  readonly quotaPerUnit: string
  /** What the gateway computes, in quota units. */
  readonly ownUnits: bigint
}

const rows = new Map(toldCosts.map((row) => [row.provider, row]))

/** Whether a row says that the provider tells its costs. */
export function hasToldCosts(provider: string): boolean {
  return rows.has(provider)
}

/** `undefined` where no row says that the vendor tells its costs, or the report has none. */
export function readToldCost({ provider, raw, quotaPerUnit, ownUnits }: ToldCostInput): ToldCost | undefined {
  const row = rows.get(provider)
  if (row === undefined) return undefined
  const first = readAmount(raw, row.path)
  const isFurther = row.further !== undefined && readPath(raw, row.further.if) === true
  const further = isFurther ? readAmount(raw, row.further?.path ?? '') : 0
  if (first === undefined || further === undefined) return undefined
  const amount = first + further
  const units = BigInt(Math.round(amount * Number(quotaPerUnit)))
  const isDoubted = units * FACTOR < ownUnits || units > ownUnits * FACTOR
  return { amount, units, isDoubted }
}

const AMOUNT_MAX = 1_000_000

function readAmount(raw: unknown, path: string): number | undefined {
  const value = readPath(raw, path)
  return typeof value === 'number' && value >= 0 && value <= AMOUNT_MAX ? value : undefined
}

function readPath(raw: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), raw)
}
