import type { Budget, OverdraftRule, TokenLimits } from '../inputs.ts'
import { type WireReader, type WireValue, wireAmount } from './wire.ts'

/** Conditions of an admission on the wire. */

export function encodeLimits({ parallelCalls, budget }: TokenLimits): readonly WireValue[] {
  return [parallelCalls ?? null, ...encodeBudget(budget)]
}

export function decodeLimits(wire: WireReader | undefined): TokenLimits | undefined {
  if (wire === undefined) return undefined
  return {
    ...setIfPresent('parallelCalls', wire.optionalNumber()),
    ...setIfPresent('budget', decodeBudget(wire)),
  }
}

export function encodeOverdraft(rule: OverdraftRule | undefined): WireValue {
  return rule ? [wireAmount(rule.factor), Number(rule.admitsAlone)] : null
}

export function decodeOverdraft(wire: WireReader | undefined): OverdraftRule | undefined {
  return wire && { factor: wire.amount(), admitsAlone: wire.flag() }
}

export function encodeBudget(budget: Budget | undefined): readonly WireValue[] {
  return budget === undefined ? [null] : [wireAmount(budget.units), budget.sinceMs]
}

export function decodeBudget(wire: WireReader): Budget | undefined {
  const units = wire.optionalAmount()
  return units === undefined ? undefined : { units, sinceMs: wire.number() }
}

/** An object with one property, or an empty object when the value is undefined. */
export function setIfPresent<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key is typed as any string
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: V })
}
