import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '@tollgate/ledger/ledger'
import { reserveCall, settleCall } from './calls.ts'

export interface LoadFigures {
  readonly pairs: number
  readonly pairsPerSecond: number
  /** Of a reservation and a settlement together, what a call waits for at most. */
  readonly medianMs: number
  readonly p99Ms: number
}

export interface LoadInput {
  /** Callers take turns among them, as among processes behind a balancer. */
  readonly ledgers: readonly Ledger[]
  readonly users: number
  readonly seconds: number
}

/** So many callers that batches fill, each waiting for its answers. */
const CALLERS = 256

/** As much as it can. */
export async function saturate({ ledgers, users, seconds }: LoadInput): Promise<LoadFigures> {
  const times: number[] = []
  const startMs = performance.now()
  const untilMs = startMs + seconds * 1000
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      while (performance.now() < untilMs) times.push(await timedPair(ledgers, caller, users))
    }),
  )
  return figuresOf(times, performance.now() - startMs)
}

/** Calls arrive evenly, whether or not the ones before have been answered. */
export async function pace(input: LoadInput & { readonly perSecond: number }): Promise<LoadFigures> {
  const { ledgers, users, seconds, perSecond } = input
  const running: Promise<number>[] = []
  const startMs = performance.now()
  for (let call = 0; call < perSecond * seconds; call++) {
    const waitMs = startMs + (call * 1000) / perSecond - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    running.push(timedPair(ledgers, call, users))
  }
  return figuresOf(await Promise.all(running), performance.now() - startMs)
}

async function timedPair(ledgers: readonly Ledger[], caller: number, users: number): Promise<number> {
  const ledger = ledgers[caller % ledgers.length]
  if (!ledger) throw new Error('nobody to ask')
  const beforeMs = performance.now()
  await settleCall(ledger, await reserveCall(ledger, 1 + (caller % users)))
  return performance.now() - beforeMs
}

function figuresOf(times: readonly number[], elapsedMs: number): LoadFigures {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0
  return {
    pairs: sorted.length,
    pairsPerSecond: (sorted.length * 1000) / elapsedMs,
    medianMs: at(0.5),
    p99Ms: at(0.99),
  }
}
