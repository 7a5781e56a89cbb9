import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '@tollgate/ledger/ledger'
import { type Spread, spreadOf } from './spread.ts'
import { reserveCall, settleCall } from './calls.ts'

/** The spread is that of a reservation plus a settlement, the longest time a call waits for the ledger. */
export interface LoadFigures extends Spread {
  readonly pairs: number
  readonly pairsPerSecond: number
}

export interface LoadInput {
  /** Callers are distributed among the ledgers, as among processes behind a load balancer. */
  readonly ledgers: readonly Ledger[]
  readonly users: number
  readonly seconds: number
  /** Whether callers wait while the ledger has much to fold. */
  readonly isPatient?: boolean
}

/** Enough concurrent callers to fill batches; each waits for its result. */
const CALLERS = 256

/** Runs as many calls as possible. */
export async function saturate({
  ledgers,
  users,
  seconds,
  isPatient = false,
}: LoadInput): Promise<LoadFigures> {
  const times: number[] = []
  const startMs = performance.now()
  const untilMs = startMs + seconds * 1000
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      while (performance.now() < untilMs) times.push(await timedPair(ledgers, { caller, users, isPatient }))
    }),
  )
  return figuresOf(times, performance.now() - startMs)
}

export interface PaceInput extends LoadInput {
  readonly perSecond: number
  readonly signal?: AbortSignal
}

/** Starts calls at an even rate, whether or not earlier ones have completed. */
export async function pace({ ledgers, users, seconds, perSecond, signal }: PaceInput): Promise<LoadFigures> {
  const running: Promise<number>[] = []
  const startMs = performance.now()
  for (let call = 0; call < perSecond * seconds; call++) {
    if (signal?.aborted) break
    const waitMs = startMs + (call * 1000) / perSecond - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    running.push(timedPair(ledgers, { caller: call, users, isPatient: false }))
  }
  return figuresOf(await Promise.all(running), performance.now() - startMs)
}

interface Pair {
  readonly caller: number
  readonly users: number
  readonly isPatient: boolean
}

async function timedPair(ledgers: readonly Ledger[], { caller, users, isPatient }: Pair): Promise<number> {
  const ledger = ledgers[caller % ledgers.length]
  if (!ledger) throw new Error('nobody to ask')
  const beforeMs = performance.now()
  await settleCall(ledger, await reserveCall(ledger, 1 + (caller % users), { isPatient }))
  return performance.now() - beforeMs
}

function figuresOf(times: readonly number[], elapsedMs: number): LoadFigures {
  return {
    pairs: times.length,
    pairsPerSecond: (times.length * 1000) / elapsedMs,
    ...spreadOf(times),
  }
}
