import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/kit/clock'
import { openStore } from '@tollgate/store/database/open-store'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Ledger } from '../src/ledger.ts'
import { accountId } from '../src/account.ts'
import { openLedger } from '../src/open-ledger.ts'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'
import { sampleLog } from '@tollgate/testkit/sample-call'

const CUTS = shortOrLong(25, 500)
/**
 * Few enough that SQLite has not yet checkpointed the write-ahead log into the database file when it is cut.
 */
const CALLS = 40
const CHECKPOINT_BYTES = 1_000 * 4_120
const user = accountId('user', 1)

/** Size of the write-ahead log when the call with this index was acknowledged. */
type NotedSizes = readonly number[]

it(`a write-ahead log cut at any of ${CUTS} random bytes keeps a consistent prefix`, async () => {
  const dice = new Dice(seedOfRun())
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-torn-'))
  const original = join(directory, 'original.db')
  const { notedSizes, stop } = await writeCalls(original)
  const whole = readFileSync(`${original}-wal`)
  expect(whole.length).toBeLessThan(CHECKPOINT_BYTES)
  let kept = 0
  for (let cut = 0; cut < CUTS; cut++) {
    const copy = join(directory, `cut-${cut}`)
    const length = dice.below(whole.length + 1)
    writeTorn({ original, copy, whole, length, dice })
    kept += await expectPrefix(copy, { notedSizes, length })
    rmSync(copy, { recursive: true })
  }
  await stop()
  rmSync(directory, { recursive: true })
  console.log(`${CUTS} cuts in ${whole.length} bytes of ${CALLS} calls, ${kept} calls found whole, 0 lost`)
  expect(kept).toBeGreaterThan(CUTS * 8)
  expect(kept).toBeLessThan(CUTS * CALLS)
})

async function writeCalls(path: string): Promise<{ notedSizes: NotedSizes; stop: () => Promise<void> }> {
  const store = await openStore({ sqlitePath: path, inline: {} })
  const ledger = await openLedger({ store, clock: systemClock })
  await sql.raw('pragma wal_checkpoint(truncate)').execute(store.db)
  const notedSizes: number[] = []
  for (let number = 0; number < CALLS; number++) {
    await oneCall(ledger, number)
    notedSizes.push(statSync(`${path}-wal`).size)
  }
  return { notedSizes, stop: () => store.close() }
}

async function oneCall(ledger: Ledger, number: number): Promise<void> {
  const holdId = `call-${number}`
  await ledger.credit({ key: `topup:${number}`, account: user, amount: 500n })
  await ledger.reserve({ holdId, userAccount: user, amount: 100n, ceiling: 400n, priceJson: '{}' })
  await ledger.settle({ holdId, amount: 150n, flags: [], usageJson: '', log: sampleLog(holdId) })
}

interface Torn {
  readonly original: string
  readonly copy: string
  readonly whole: Buffer
  readonly length: number
  readonly dice: Dice
}

/** Truncates the log; the rest is either missing or random bytes. */
function writeTorn({ original, copy, whole, length, dice }: Torn): void {
  mkdirSync(copy)
  copyFileSync(original, join(copy, 'ledger.db'))
  const rest = dice.chance(0.5) ? 0 : Math.min(dice.below(20_000), whole.length - length)
  const garbage = Uint8Array.from({ length: rest }, () => dice.below(256))
  writeFileSync(join(copy, 'ledger.db-wal'), Buffer.concat([whole.subarray(0, length), garbage]))
}

/**
 * Expects that the complete calls are the first ones and include all that were acknowledged within `length`;
 * returns their number.
 */
async function expectPrefix(
  directory: string,
  { notedSizes, length }: { notedSizes: NotedSizes; length: number },
): Promise<number> {
  const store = await openStore({ sqlitePath: join(directory, 'ledger.db'), inline: {} })
  const ledger = await openLedger({ store, clock: systemClock })
  const rows = await store.db.selectFrom('entry').select(['op_key', 'flags']).orderBy('id').execute()
  const settled = rows.filter((row) => row.op_key.startsWith('consume:') && !row.flags.includes('recovered'))
  expect(settled.map((row) => row.op_key)).toEqual(settled.map((_, number) => `consume:call-${number}`))
  expect(settled.length).toBeGreaterThanOrEqual(notedSizes.filter((size) => size <= length).length)
  const logged = await store.db.selectFrom('logs').select('id').where('quota', '=', 150n).execute()
  expect(logged.length).toBe(settled.length)
  expect((await ledger.audit()).findings).toEqual([])
  await ledger.close()
  await store.close()
  return settled.length
}
