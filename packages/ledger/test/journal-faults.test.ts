import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { type Clock, systemClock } from '@tollgate/kit/clock'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER_BYTES, newHeader, writeHeader } from '../src/journal/file-header.ts'
import { FaultyFs } from '../src/journal/journal.fixture.ts'
import { JournalWriter } from '../src/journal/write-journal.ts'
import { databaseIdOf } from '../src/local/database-id.ts'
import { Dice, seedOfRun } from './support/faults.ts'
import { JournalLoad, chargesIn, fillUsers, userOf } from './support/journal-load.ts'
import { type Gateway, JournalPlace, turns } from './support/journal-place.ts'

let place: JournalPlace
beforeEach(() => {
  place = new JournalPlace()
})
afterEach(() => place.remove())

const call = (holdId: string, amount = 100n) => ({
  holdId,
  userAccount: userOf(0),
  amount,
  ceiling: amount * 4n,
  priceJson: samplePriceJson,
})
const end = (holdId: string, amount = 40n) => ({
  holdId,
  amount,
  flags: [],
  usageJson: '',
  log: sampleLog(holdId),
})

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`)

/** Opens calls one after the other, so many that later lines wait for those of other calls. */
async function openMany({ ledger }: Gateway): Promise<readonly string[]> {
  const open = names('open', 10)
  for (const holdId of open) expect(await ledger.reserve(call(holdId))).toEqual({ type: 'reserved' })
  return open
}

async function expectCharged(
  { store, ledger }: Gateway,
  charged: ReadonlyMap<string, { readonly amount: bigint }>,
): Promise<void> {
  await ledger.caughtUp?.()
  const found = await chargesIn(store)
  expect([...charged].filter(([id, { amount }]) => found.get(id)?.amount !== amount)).toEqual([])
  expect(found.size).toBe(charged.size)
  expect(await ledger.audit()).toMatchObject({ findings: [], holds: 0 })
}

describe('at the start', () => {
  class Refusing extends FaultyFs {
    readonly code: string
    constructor(code: string) {
      super()
      this.code = code
    }

    override openSync(path: string, flags: string, mode?: number): number {
      if (flags === 'r') return super.openSync(path, flags, mode)
      throw Object.assign(new Error('refused'), { code: this.code })
    }
  }

  it.each(['EACCES', 'EROFS', 'ENOSPC'])(
    'a folder that answers %s is refused with one line',
    async (code) => {
      await expect(place.open({ fs: new Refusing(code) })).rejects.toMatchObject({
        name: 'StoreOpenError',
        message: `The journal cannot be kept in ${place.journalFolder} (${code}): check its owner, its rights and the room on the disk.`,
      })
    },
  )

  it('a file in the place of the folder is refused with one line', async () => {
    writeFileSync(place.journalFolder, 'a file')
    await expect(place.open()).rejects.toMatchObject({
      name: 'StoreOpenError',
      message: expect.stringContaining('(ENOTDIR): check its owner'),
    })
  })

  it('a journal of a newer version is left alone and named, and calls go on', async () => {
    const first = await place.open()
    await fillUsers(first.ledger)
    const databaseId = await databaseIdOf(first.store.db)
    await first.stop()
    const newer = Buffer.alloc(HEADER_BYTES)
    const known = { databaseId, instanceId: 'newer', createdMs: 1, headFrames: 0 }
    writeHeader(newer, { ...newHeader(known), format: 99 })
    const path = join(place.journalFolder, 'newer-1.journal')
    writeFileSync(path, newer)
    const { ledger, alarms, stop } = await place.open()
    expect(alarms).toEqual([
      {
        type: 'operation_failed',
        detail: `left alone in ${place.journalFolder}: newer-1.journal, of a newer version; start that version once, so that it folds its calls`,
      },
    ])
    expect(await ledger.reserve(call('a'))).toEqual({ type: 'reserved' })
    await ledger.settle(end('a'))
    await stop()
    expect(readFileSync(path)).toEqual(newer)
  })

  it.each([
    ['of a process of this database is folded', true],
    ['of another process is left alone and named', false],
  ])('a journal with a damaged header %s', async (_what, isOwn) => {
    const first = await place.open()
    await fillUsers(first.ledger)
    await first.ledger.reserve(call('a'))
    await first.ledger.settle(end('a'))
    await first.die()
    const [name = ''] = readdirSync(place.journalFolder)
    const bytes = readFileSync(join(place.journalFolder, name)).fill('x', 100, 200)
    writeFileSync(join(place.journalFolder, isOwn ? name : 'stranger-1.journal'), bytes)
    const next = await place.open()
    await expectCharged(next, new Map([['a', { amount: 40n }]]))
    expect(next.alarms.map(({ detail }) => detail)).toEqual([
      expect.stringContaining(
        isOwn ? 'damaged: 1 lines up to position' : 'stranger-1.journal, with a damaged header',
      ),
    ])
    await next.stop()
  })

  it('a line that the ledger rejects is kept for the operator, and every other line is folded once', async () => {
    const first = await place.open()
    await fillUsers(first.ledger)
    const databaseId = await databaseIdOf(first.store.db)
    await first.stop()
    const writer = new JournalWriter({
      folder: place.journalFolder,
      databaseId,
      instanceId: 'dead',
      clock: systemClock,
      onFailure: () => undefined,
    })
    const good = new Map<string, { amount: bigint }>()
    for (let number = 0; number < 500; number++) {
      const holdId = `call-${number}`
      const isBad = number === 137
      if (!isBad) good.set(holdId, { amount: 30n })
      writer.append({
        type: 'settled',
        ...call(holdId),
        tokenAccount: undefined,
        isTokenFollowed: false,
        budgetSinceMs: undefined,
        charged: isBad ? 401n : 30n,
        waived: 0n,
        ceiling: 400n,
        flags: [],
        channelId: 3,
        usageJson: '',
        endedMs: 1_750_000_000_000,
        log: sampleLog(holdId),
      })
    }
    await writer.close()
    for (const isFirst of [true, false]) {
      const next = await place.open()
      await expectCharged(next, good)
      const rows = await next.store.db.selectFrom('journal_rejected').selectAll().execute()
      expect(rows).toMatchObject([{ file_id: 'dead-1', line: expect.stringContaining('"call-137"') }])
      expect(next.alarms).toHaveLength(isFirst ? 1 : 0)
      if (isFirst)
        expect(next.alarms[0]?.detail).toContain(
          'was not folded: InvariantError: a charge is within its ceiling',
        )
      await next.stop()
    }
  })
})

describe('while calls run', () => {
  it('a full disk refuses calls, and the charges of those in flight are written when there is room', async () => {
    const fs = new FaultyFs()
    const { ledger, store, alarms, stop, lock } = await place.open({ fs })
    await fillUsers(ledger)
    for (const holdId of ['a', 'b']) expect(await ledger.reserve(call(holdId))).toEqual({ type: 'reserved' })
    fs.room = 10
    expect(await ledger.settle(end('a'))).toMatchObject({ charged: 40n })
    expect(await ledger.reserve(call('c'))).toEqual({ type: 'unavailable' })
    expect(ledger.health().isWritable).toBe(false)
    expect(await ledger.settle(end('b'))).toMatchObject({ charged: 40n })
    fs.room = Infinity
    await expect.poll(() => ledger.reserve(call('d'))).toEqual({ type: 'reserved' })
    expect(ledger.health().isWritable).toBe(true)
    await ledger.settle(end('d'))
    const charged = new Map(['a', 'b', 'd'].map((id) => [id, { amount: 40n }]))
    await expectCharged({ ledger, store, alarms, stop, die: stop, lock }, charged)
    expect(alarms.map(({ type }) => type)).toEqual(['store_failed', 'store_failed'])
    expect(alarms[1]?.detail).toContain('ENOSPC')
    await stop()
  })

  class CountingFs extends FaultyFs {
    writes = 0

    override writeSync(
      fd: number,
      bytes: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): number {
      this.writes++
      return super.writeSync(fd, bytes, offset, length, position)
    }
  }

  it('with many calls in flight, the lines of one turn of the event loop are one write', async () => {
    const fs = new CountingFs()
    const gateway = await place.open({ fs })
    const { ledger } = gateway
    await fillUsers(ledger)
    const open = await openMany(gateway)
    const more = names('more', 40)
    const before = fs.writes
    const reserved = await Promise.all(more.map((holdId) => ledger.reserve(call(holdId))))
    expect(reserved.every(({ type }) => type === 'reserved')).toBe(true)
    expect(fs.writes - before).toBe(1)
    const all = [...open, ...more]
    await Promise.all(all.map((holdId) => ledger.settle(end(holdId))))
    expect(fs.writes - before).toBe(2)
    // A busy process is still busy when a turn begins with few calls in flight.
    const next = names('next', 3)
    await Promise.all(next.map((holdId) => ledger.reserve(call(holdId))))
    expect(fs.writes - before).toBe(3)
    for (const holdId of next) await ledger.settle(end(holdId))
    expect(fs.writes - before).toBe(6)
    await expectCharged(gateway, new Map([...all, ...next].map((id) => [id, { amount: 40n }])))
    await gateway.stop()
  })

  it('a full disk refuses all calls that wait for one write, and frees what they held', async () => {
    const fs = new FaultyFs()
    const gateway = await place.open({ fs })
    const { ledger } = gateway
    await fillUsers(ledger)
    const open = await openMany(gateway)
    fs.room = 10
    const refused = await Promise.all(names('refused', 20).map((holdId) => ledger.reserve(call(holdId))))
    expect(new Set(refused.map(({ type }) => type))).toEqual(new Set(['unavailable']))
    const ended = Promise.all(open.map((holdId) => ledger.settle(end(holdId))))
    expect((await ended).every(({ charged }) => charged === 40n)).toBe(true)
    fs.room = Infinity
    await expect.poll(() => ledger.reserve(call('after'))).toEqual({ type: 'reserved' })
    await ledger.settle(end('after'))
    const charged = new Map([...open, 'after'].map((id) => [id, { amount: 40n }]))
    await expectCharged(gateway, charged)
    await gateway.die()
    const next = await place.open()
    await expectCharged(next, charged)
    await next.stop()
  })

  it('a call that is opened after a write in the same turn waits for the next one', async () => {
    const gateway = await place.open()
    const { ledger } = gateway
    await fillUsers(ledger)
    const [first = ''] = await openMany(gateway)
    const written = (): string =>
      readdirSync(place.journalFolder)
        .map((name) => readFileSync(join(place.journalFolder, name), 'latin1'))
        .join('')
    const before = ledger.reserve(call('before'))
    await ledger.checkpoint({ holdId: first, amount: 5n, channelId: 1 })
    const after = ledger
      .reserve(call('after'))
      .then((result) => ({ result, hasLine: written().includes('after') }))
    expect(await before).toEqual({ type: 'reserved' })
    expect(await after).toEqual({ result: { type: 'reserved' }, hasLine: true })
    await gateway.stop()
  })

  it('a database slower than the calls stops admission before the journal passes its limit, and resumes it', async () => {
    const unfoldedBytesMax = 2 * 1024 * 1024
    const { ledger, store, alarms, stop, lock } = await place.open({ unfoldedBytesMax })
    await fillUsers(ledger)
    // Quota for all calls is set aside before the database is locked.
    await ledger.reserve(call('large', 1_000_000n))
    await ledger.release({ holdId: 'large' })
    await ledger.caughtUp?.()
    lock(true)
    const charged = new Map<string, { amount: bigint }>()
    const wide = 'x'.repeat(10_000)
    const charge = async (holdId: string): Promise<void> => {
      charged.set(holdId, { amount: 40n })
      const log = { ...sampleLog(holdId), other: JSON.stringify({ wide }) }
      await ledger.settle({ ...end(holdId), log })
    }
    await ledger.reserve(call('in flight'))
    let refused: string | undefined
    for (let number = 0; refused === undefined; number++) {
      const { type } = await ledger.reserve(call(`call-${number}`))
      if (type === 'reserved') await charge(`call-${number}`)
      else refused = type
      await turn()
      expect(ledger.health().unfoldedBytes).toBeLessThan(unfoldedBytesMax * 1.1)
    }
    expect(refused).toBe('unavailable')
    expect(ledger.health().unfoldedBytes).toBeGreaterThanOrEqual(unfoldedBytesMax)
    await charge('in flight')
    lock(false)
    await expect.poll(() => ledger.reserve(call('after'))).toEqual({ type: 'reserved' })
    await charge('after')
    await expectCharged({ ledger, store, alarms, stop, die: stop, lock }, charged)
    for (const { detail } of alarms)
      expect(detail).toContain('the journal cannot be folded: StoreError: locked')
    await stop()
  })

  it('two processes cannot have one database, so they never have one journal', async () => {
    const { stop } = await place.open()
    await expect(place.open()).rejects.toMatchObject({ name: 'StoreOpenError', reason: 'in_use' })
    await stop()
  })

  /** The wall clock may jump; the monotonic clock stands still while a machine is suspended. */
  class JumpingClock implements Clock {
    jumpMs = 0
    nowMs(): number {
      return systemClock.nowMs() + this.jumpMs
    }
    monotonicMs(): number {
      return systemClock.monotonicMs()
    }
  }

  it.each([
    ['a suspend of ten minutes', 600_000],
    ['a jump forward by a day', 86_400_000],
    ['a jump back by an hour', -3_600_000],
  ])('%s loses and doubles nothing', async (_what, jumpMs) => {
    const dice = new Dice(seedOfRun())
    const clock = new JumpingClock()
    const gateway = await place.open({ clock })
    await fillUsers(gateway.ledger)
    const load = new JournalLoad(gateway.ledger, { dice })
    await turns(100)
    clock.jumpMs += jumpMs
    await turns(200)
    clock.jumpMs -= jumpMs / 2
    await turns(100)
    await load.end()
    expect(load.charged.size).toBeGreaterThan(100)
    await expectCharged(gateway, load.charged)
    await gateway.die()
    const next = await place.open()
    await expectCharged(next, load.charged)
    expect(next.alarms).toEqual([])
    await next.stop()
  })
})
