import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tollgate/kit/clock'
import { openLedger } from '@tollgate/ledger/open-ledger'
import type { Store } from '@tollgate/store/database/open-store'
import { fillAccounts } from '../ledger/calls.ts'
import { type LoadFigures, pace } from '../ledger/load.ts'
import type { Question } from './questions.ts'

export interface BesideFigures {
  /** Holds and settlements without readers of the log, and with readers who go from page to page. */
  readonly alone: LoadFigures
  readonly beside: LoadFigures
  /** Number of pages, badges and charts that were read meanwhile. */
  readonly answers: number
}

const USERS = 50
const SECONDS = 8
const READERS = 2
/** Pause between a response and the reader's next query: nobody reads pages faster. */
const PAUSE_MS = 250

/** Runs calls at an even rate, first alone and then while people read one page after another. */
export async function measureBeside(
  store: Store,
  questions: readonly Question[],
  perSecond: number,
): Promise<BesideFigures> {
  const ledger = await openLedger({ store, clock: systemClock })
  try {
    await fillAccounts(ledger, USERS)
    const calls = { ledgers: [ledger], users: USERS, seconds: SECONDS, perSecond }
    const alone = await pace(calls)
    const ending = new AbortController()
    const reading = Promise.all(
      Array.from({ length: READERS }, (_, reader) => readOn(questions, reader, ending.signal)),
    )
    const beside = await pace(calls)
    ending.abort()
    const answers = (await reading).reduce((sum, count) => sum + count, 0)
    return { alone, beside, answers }
  } finally {
    await ledger.close()
  }
}

async function readOn(questions: readonly Question[], first: number, signal: AbortSignal): Promise<number> {
  let answers = 0
  for (let next = first; !signal.aborted; next += READERS) {
    await questions[next % questions.length]?.ask()
    answers++
    await sleep(PAUSE_MS)
  }
  return answers
}
