import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { childProgram } from '@tollgate/testkit/child-program'
import { systemClock } from '@tollgate/kit/clock'
import { openStore } from '@tollgate/store/database/open-store'
import { expect, it } from 'vitest'
import { openLedger } from '../src/open-ledger.ts'
import { AcknowledgementLog } from './support/acknowledged.ts'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'

const KILLS = shortOrLong(5, 300)
const ACKNOWLEDGED_MIN = shortOrLong(500, 20_000)
const CHILD = childProgram(new URL('support/load-child.ts', import.meta.url))

it.each([{ hasJournal: true }, { hasJournal: false }])(
  `no acknowledged operation is lost or wrong after kill -9 under load, ${KILLS} times (journal: $hasJournal)`,
  { timeout: 1_800_000 },
  async ({ hasJournal }) => {
    const dice = new Dice(seedOfRun())
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-kill-'))
    const path = join(directory, 'ledger.db')
    const folder = hasJournal ? join(directory, 'journal') : undefined
    const log = new AcknowledgementLog()
    let recovered = 0
    let kills = 0
    const isEnough = (): boolean => log.count >= ACKNOWLEDGED_MIN && recovered > 0
    while (kills < KILLS || (!isEnough() && kills < KILLS * 10)) {
      await loadAndKill({ path, folder, round: kills, dice, log })
      kills++
      // Reading all entries after every kill would dominate the run time; the last check covers all of them
      // anyway.
      if (kills % 4 === 0) recovered = await expectBooksAgree({ path, folder, log })
    }
    recovered = await expectBooksAgree({ path, folder, log })
    console.log(`${kills} kills, ${log.count} acknowledged, ${recovered} recovered, 0 lost, 0 wrong`)
    expect(isEnough()).toBe(true)
    rmSync(directory, { recursive: true })
  },
)

interface LedgerPlace {
  readonly path: string
  /** Of the journal. */
  readonly folder: string | undefined
  readonly log: AcknowledgementLog
}

interface Round extends LedgerPlace {
  readonly round: number
  readonly dice: Dice
}

/**
 * Kills most processes under load, and some during the start, while they recover the holds of the previous
 * one.
 */
async function loadAndKill({ path, folder, round, dice, log }: Round): Promise<void> {
  const child = spawn(
    process.execPath,
    [CHILD, path, String(round), ...(folder === undefined ? [] : [folder])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const lines = readLines(child, log)
  if (dice.chance(0.2)) await sleep(dice.below(250))
  else {
    await lines.first
    await sleep(20 + dice.below(250))
  }
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  await lines.end
  expect(child.signalCode).toBe('SIGKILL')
}

/** An incomplete line was never acknowledged. */
function readLines(
  child: ChildProcessByStdio<null, Readable, null>,
  log: AcknowledgementLog,
): { first: Promise<unknown>; end: Promise<unknown> } {
  let last = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const [head = '', ...rest] = (last + chunk.toString('latin1')).split('\n')
    const complete = [head, ...rest].slice(0, -1)
    last = [head, ...rest].at(-1) ?? ''
    for (const line of complete) log.add(line)
  })
  return { first: once(child.stdout, 'data'), end: once(child.stdout, 'close') }
}

/** Returns the number of calls that any process recovered from one before it. */
async function expectBooksAgree({ path, folder, log }: LedgerPlace): Promise<number> {
  const store = await openStore({ sqlitePath: path })
  const journal = folder === undefined ? undefined : { folder }
  const ledger = await openLedger({ store, clock: systemClock, journal })
  expect(await log.differences(store)).toEqual([])
  const { findings, holds } = await ledger.audit()
  expect({ findings, holds }).toEqual({ findings: [], holds: 0 })
  const recovered = await log.recovered(store)
  await ledger.close()
  await store.close()
  return recovered
}
