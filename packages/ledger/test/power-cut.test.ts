import { setImmediate as turn } from 'node:timers/promises'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { expect, it } from 'vitest'
import type { Ledger } from '../src/ledger.ts'
import { chargesIn, fillUsers, JournalLoad, userOf } from './support/journal-load.ts'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'
import { removedPlaces } from './support/journal-place.ts'
import { RecordingFs } from './support/recording-fs.ts'

const CUTS = shortOrLong(4, 60)
const CALLS_AFTER = shortOrLong(150, 1_000)

const newPlace = removedPlaces()

it(`after a power cut under load, ${CUTS} times, only charges that were not forced to the disk are missing`, async () => {
  const dice = new Dice(seedOfRun())
  const tally = { calls: 0, kept: 0, lost: 0, ahead: 0, after: 0 }
  for (let cut = 0; cut < CUTS; cut++) {
    const fs = new RecordingFs()
    const before = newPlace()
    const gateway = await before.open({ fs })
    await fillUsers(gateway.ledger)
    const load = new JournalLoad(gateway.ledger, { dice, place: () => fs.last })
    const untilMs = performance.now() + 60 + dice.below(250)
    while (performance.now() < untilMs) await turn()
    // The fold reads what was written: the database gets ahead of what was forced to the disk.
    fs.isSyncHeld = dice.chance(0.7)
    for (let turns = dice.below(400); turns > 0; turns--) await turn()
    if (fs.isSyncHeld && dice.chance(0.5)) await gateway.ledger.caughtUp?.()
    const cutPlace = newPlace()
    const atCut = new Map(load.charged)
    const opened = new Set(load.opened)
    const isExact = dice.chance(0.5)
    const synced = fs.sizes()
    fs.copyTo(cutPlace.journalFolder, (unsynced) => (isExact ? 0 : dice.below(unsynced + 1)))
    before.copyDatabase(cutPlace)
    fs.releaseSyncs()
    await load.end()
    await gateway.stop()

    const next = await cutPlace.open()
    const entries = await chargesIn(next.store)
    for (const [holdId, { amount, file, end }] of atCut) {
      const entry = entries.get(holdId)
      const isWhole = entry?.amount === amount && !entry.flags.includes('recovered')
      if (isWhole) tally.kept++
      else tally.lost++
      if (isWhole && end > (synced.get(file) ?? 0)) tally.ahead++
      expect(isWhole || end > (synced.get(file) ?? 0), `${holdId} was forced to the disk`).toBe(true)
    }
    expect([...entries.keys()].filter((holdId) => !opened.has(holdId))).toEqual([])
    tally.calls += atCut.size
    expect(await next.ledger.audit()).toMatchObject({ findings: [], holds: 0 })
    await callAgain(next.ledger, `after-${cut}`)
    tally.after += CALLS_AFTER
    const later = [...(await chargesIn(next.store))].filter(([id]) => id.startsWith(`after-${cut}-`))
    expect(later.filter(([, { amount }]) => amount === 7n)).toHaveLength(CALLS_AFTER)
    expect(await next.ledger.audit()).toMatchObject({ findings: [], holds: 0 })
    await next.stop()
  }
  console.log(`${CUTS} power cuts: ${JSON.stringify(tally)}, every charge on the disk kept, audits clean`)
  expect(tally.calls).toBeGreaterThan(CUTS * 50)
  expect(tally.lost).toBeGreaterThan(0)
  expect(tally.ahead).toBeGreaterThan(0)
}, 1_800_000)

async function callAgain(ledger: Ledger, mark: string): Promise<void> {
  for (let number = 0; number < CALLS_AFTER; number++) {
    const holdId = `${mark}-${number}`
    const call = { holdId, userAccount: userOf(number), amount: 200n, ceiling: 900n }
    expect(await ledger.reserve({ ...call, priceJson: samplePriceJson })).toEqual({ type: 'reserved' })
    await ledger.settle({ holdId, amount: 7n, flags: [], usageJson: '', log: sampleLog(holdId) })
  }
  await ledger.caughtUp?.()
}
