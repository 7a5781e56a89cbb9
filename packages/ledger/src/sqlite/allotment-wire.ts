import type { AllotmentReport } from '../inputs.ts'
import type { AllotmentGrant, ScarceAccount, TakenQuota } from '../results.ts'
import type { AllotmentAnswer } from '../core/storage.ts'
import { WireReader, type WireValue, wireAmount } from './wire.ts'

export function encodeReport({ account, free, openHolds, exposed, budget }: AllotmentReport): WireValue {
  return [
    account,
    wireAmount(free),
    openHolds,
    wireAmount(exposed),
    budget ? [budget.sinceMs, wireAmount(budget.free)] : null,
  ]
}

export function decodeReport(wire: WireReader): AllotmentReport {
  return {
    account: wire.number(),
    free: wire.amount(),
    openHolds: wire.number(),
    exposed: wire.amount(),
    budget: decodeFreeBudget(wire.optionalReader()),
  }
}

function decodeFreeBudget(wire: WireReader | undefined): AllotmentReport['budget'] {
  return wire && { sinceMs: wire.number(), free: wire.amount() }
}

export function encodeGrant(grant: AllotmentGrant): WireValue {
  const { account, amount, isUnlimited, exposedElsewhere, openHoldsElsewhere, budget, scarceUntilMs } = grant
  const figures = [wireAmount(amount), Number(isUnlimited), wireAmount(exposedElsewhere), openHoldsElsewhere]
  return [account, ...figures, budget ? [budget.sinceMs, wireAmount(budget.amount)] : null, scarceUntilMs]
}

export function decodeGrant(wire: WireReader): AllotmentGrant {
  return {
    account: wire.number(),
    amount: wire.amount(),
    isUnlimited: wire.flag(),
    exposedElsewhere: wire.amount(),
    openHoldsElsewhere: wire.number(),
    budget: decodeBudget(wire.optionalReader()),
    scarceUntilMs: wire.number(),
  }
}

export function encodeScarce(accounts: readonly ScarceAccount[]): WireValue {
  return accounts.map(({ account, untilMs }) => [account, untilMs])
}

export function decodeScarce(wires: readonly WireReader[]): readonly ScarceAccount[] {
  return wires.map((wire) => ({ account: wire.number(), untilMs: wire.number() }))
}

export function encodeAllotments({ position, rows }: AllotmentAnswer): string {
  return JSON.stringify([
    position,
    rows.map((row) => [row.account, wireAmount(row.amount), row.budgetSinceMs, wireAmount(row.budgetAmount)]),
  ])
}

export function decodeAllotments(text: string): AllotmentAnswer {
  const wire = WireReader.parse(text)
  return {
    position: wire.number(),
    rows: wire.readers().map((row) => ({
      account: row.number(),
      amount: row.amount(),
      budgetSinceMs: row.number(),
      budgetAmount: row.amount(),
    })),
  }
}

export function encodeTaken(accounts: readonly TakenQuota[]): WireValue {
  return accounts.map(({ account, amount, budget }) => [
    account,
    wireAmount(amount),
    budget ? [budget.sinceMs, wireAmount(budget.amount)] : null,
  ])
}

export function decodeTaken(wires: readonly WireReader[]): readonly TakenQuota[] {
  return wires.map((wire) => {
    const taken = { account: wire.number(), amount: wire.amount() }
    const budget = decodeBudget(wire.optionalReader())
    return budget ? { ...taken, budget } : taken
  })
}

function decodeBudget(wire: WireReader | undefined): AllotmentGrant['budget'] {
  return wire && { sinceMs: wire.number(), amount: wire.amount() }
}
