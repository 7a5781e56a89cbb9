import type { StoreFigures } from './measure-store.ts'

/** One performance target of the ledger and the measured value. */
export interface TargetResult {
  readonly store: string
  readonly aim: string
  readonly measured: string
  readonly isMet: boolean
}

interface Measured {
  readonly name: string
  readonly figures: StoreFigures
}

/** Compares the results with the targets that apply to this store. */
export function judge({ name, figures }: Measured): readonly TargetResult[] {
  const { manyUsers, hotUser, paced, recovery, deadlocks, retried, findings } = figures
  const judgement = (aim: string, measured: string, isMet: boolean): TargetResult => {
    return { store: name, aim, measured, isMet }
  }
  const atMost = (aim: string, ms: number, limitMs: number): TargetResult =>
    judgement(`${aim} <= ${limitMs} ms`, `${ms.toFixed(2)} ms`, ms <= limitMs)
  const atLeast = (aim: string, rate: number, limit: number): TargetResult =>
    judgement(`${aim} >= ${limit} a second`, rate.toFixed(0), rate >= limit)
  return [
    ...(name === 'SQLite' ? [atLeast('pairs', manyUsers.pairsPerSecond, 20_000)] : []),
    ...(name === 'PostgreSQL' ? [atLeast('reservations, one hot user', hotUser.pairsPerSecond, 5_000)] : []),
    atMost('added at 500 calls a second, median', paced.medianMs, 1.5),
    atMost('added at 500 calls a second, p99', paced.p99Ms, 8),
    atMost(`recovery of ${recovery.holds} holds`, recovery.ms, 5_000),
    judgement('no deadlocks', `${deadlocks} (${retried} transactions begun again)`, deadlocks === 0),
    judgement('the audit finds nothing', `${findings} findings`, findings === 0),
  ]
}
