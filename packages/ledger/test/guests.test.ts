import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/kit/clock'
import { type MessageCalls, callsOf, messageCalls } from '@tollgate/kit/message-calls'
import { openFollowerStore, storeErrors } from '@tollgate/store/sqlite/follower-store'
import {
  type EmbeddedStore,
  type SqliteStore,
  openSqliteStore,
} from '@tollgate/store/sqlite/open-sqlite-store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Ledger } from '../src/ledger.ts'
import { accountId } from '../src/account.ts'
import { openLedger } from '../src/open-ledger.ts'
import type { Recalls } from '../src/recalls.ts'
import { type LedgerOwner, openLedgerOwner } from '../src/sqlite/owner.ts'

/**
 * Tests of processes (guests) that write one SQLite file through the process that owns it. Here all of them
 * run in one process.
 */

const USER = accountId('user', 7)
let folder: string
let sqlitePath: string
let store: SqliteStore
let owner: LedgerOwner
const closers: (() => Promise<void>)[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-guests-'))
  sqlitePath = join(folder, 'gate.db')
  store = await openSqliteStore({ sqlitePath })
  owner = await openOwner('owner')
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await owner.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

function openOwner(instanceId: string): Promise<LedgerOwner> {
  return openLedgerOwner({ store, clock: systemClock, instanceId, journalFolder: join(folder, 'journal') })
}

/** Notices between the guests, as their parent passes them on. */
const listeners = new Map<string, (account: number | undefined) => void>()

function recallsOf(guest: string): Recalls {
  return {
    publish: (account) => {
      for (const [other, listener] of listeners) if (other !== guest) setImmediate(() => listener(account))
    },
    subscribe: (listener) => {
      listeners.set(guest, listener)
      return () => void listeners.delete(guest)
    },
    patienceMs: () => 1_500,
  }
}

interface Guest {
  readonly store: EmbeddedStore
  readonly ledger: Ledger
  /** Simulates a killed process: none of its messages arrive any more. */
  die(): Promise<void>
}

async function enter(instanceId: string): Promise<Guest> {
  const ends: { near?: MessageCalls; far?: MessageCalls } = {}
  const near = messageCalls({
    post: (message) => ends.far?.receive(structuredClone(message)),
    errors: storeErrors,
  })
  const far = messageCalls({
    post: (message) => ends.near?.receive(structuredClone(message)),
    errors: storeErrors,
  })
  Object.assign(ends, { near, far })
  const leave = store.serveFollower(far)
  const guestStore = await openFollowerStore({ sqlitePath, calls: callsOf(near) })
  const ledger = await openLedger({
    store: guestStore,
    clock: systemClock,
    instanceId,
    journal: { folder: join(folder, 'journal') },
    recalls: recallsOf(instanceId),
  })
  let isDead = false
  closers.push(async () => {
    if (!isDead) await ledger.close()
    await guestStore.close()
  })
  return {
    store: guestStore,
    ledger,
    die: async () => {
      isDead = true
      listeners.delete(instanceId)
      near.end(new Error('killed'))
      await leave()
    },
  }
}

const row = (id: number) => ({ id, version: '1', initialized_at: 1 })

function reserve(ledger: Ledger, holdId: string, amount = 10n) {
  return ledger.reserve({ holdId, userAccount: USER, amount, ceiling: amount, priceJson: '{}' })
}

test('three processes admit exactly as many calls as the balance covers', async () => {
  const guests = await Promise.all(['a', 'b', 'c'].map(enter))
  await guests[0]?.ledger.credit({ key: 'gift', account: USER, amount: 100n })
  for (let round = 0; round < 20; round++) {
    const holds = guests.flatMap(({ ledger }, guest) =>
      Array.from({ length: 20 }, (_, index) => ({ ledger, id: `${round} ${guest} ${index}` })),
    )
    const results = await Promise.all(holds.map(({ ledger, id }) => reserve(ledger, id)))
    const admitted = holds.filter((_, index) => results[index]?.type === 'reserved')
    expect(admitted).toHaveLength(10)
    await Promise.all(admitted.map(({ ledger, id }) => ledger.release({ holdId: id })))
  }
  const { findings } = (await guests[1]?.ledger.audit()) ?? {}
  expect(findings).toEqual([])
})

test('a write of one process is visible to the others at once, and a failed transaction is rolled back', async () => {
  const [a, b] = [await enter('a'), await enter('b')]
  await a.store.db.insertInto('setups').values(row(1)).execute()
  expect(await b.store.db.selectFrom('setups').selectAll().execute()).toHaveLength(1)
  const failed = b.store.db.transaction().execute(async (transaction) => {
    await transaction.insertInto('setups').values(row(2)).execute()
    await transaction.insertInto('setups').values(row(1)).execute()
  })
  await expect(failed).rejects.toMatchObject({ name: 'StoreError', kind: 'constraint' })
  expect(await a.store.db.selectFrom('setups').selectAll().execute()).toHaveLength(1)
})

test('the holds of a dead process are recovered, and other processes continue', async () => {
  const [a, b] = [await enter('a'), await enter('b')]
  await a.ledger.credit({ key: 'gift', account: USER, amount: 100n })
  await reserve(a.ledger, 'of a', 30n)
  await a.ledger.checkpoint({ holdId: 'of a', amount: 5n })
  await reserve(b.ledger, 'of b', 20n)
  await a.die()
  expect(await owner.recoverDead('a')).toBe(1)
  expect(await owner.recoverDead('a')).toBe(0)
  expect(await b.ledger.balance(USER)).toMatchObject({ remaining: 75n, reserved: 20n, used: 5n })
  await b.ledger.settle({ holdId: 'of b', amount: 20n, flags: [], usageJson: '' })
  expect(await b.ledger.balance(USER)).toMatchObject({ remaining: 75n, reserved: 0n, used: 25n })
  const states = await store.db.selectFrom('instance').select(['id', 'state']).orderBy('id').execute()
  expect(states.map(({ id, state }) => `${id} ${state}`)).toEqual(['a dead', 'b alive', 'owner alive'])
})

test('a process that dies inside a transaction does not block the others', async () => {
  const [a, b] = [await enter('a'), await enter('b')]
  const inside = Promise.withResolvers<void>()
  const begun = a.store.db.transaction().execute(async (transaction) => {
    await transaction.insertInto('setups').values({ id: 1, version: '1', initialized_at: 1 }).execute()
    inside.resolve()
    await new Promise(() => undefined)
  })
  void begun.catch(() => undefined)
  await inside.promise
  const credited = b.ledger.credit({ key: 'gift', account: USER, amount: 1n })
  await a.die()
  expect(await credited).toMatchObject({ type: 'credited' })
  expect(await b.store.db.selectFrom('setups').selectAll().execute()).toEqual([])
})

test('the next start recovers the holds of all earlier processes', async () => {
  const a = await enter('a')
  await a.ledger.credit({ key: 'gift', account: USER, amount: 100n })
  await reserve(a.ledger, 'of a', 30n)
  await a.die()
  await owner.close()
  owner = await openOwner('owner again')
  const b = await enter('b')
  expect(await b.ledger.balance(USER)).toMatchObject({ remaining: 100n, reserved: 0n })
})

test('a client that makes one call after the other is never refused, whichever process it meets', async () => {
  const guests = await Promise.all(['a', 'b', 'c'].map(enter))
  await guests[0]?.ledger.credit({ key: 'gift', account: USER, amount: 1_000n })
  let left = 1_000n
  for (let index = 0; index < 60; index++) {
    const ledger = guests[index % 3]?.ledger
    if (!ledger) throw new Error('there are guests')
    expect(await reserve(ledger, `call ${index}`, left)).toEqual({ type: 'reserved' })
    const amount = left / 20n
    await ledger.settle({ holdId: `call ${index}`, amount, flags: [], usageJson: '' })
    left -= amount
  }
  await Promise.all(guests.map(({ ledger }) => ledger.caughtUp()))
  expect(await guests[0]?.ledger.balance(USER)).toMatchObject({ remaining: left, debt: 0n })
  expect((await guests[1]?.ledger.audit())?.findings).toEqual([])
})

test('the answers of a process that was killed are charged from its journal', async () => {
  const [a, b] = [await enter('a'), await enter('b')]
  await a.ledger.credit({ key: 'gift', account: USER, amount: 100n })
  await reserve(a.ledger, 'whole', 30n)
  await reserve(a.ledger, 'open', 30n)
  await a.ledger.checkpoint({ holdId: 'open', amount: 5n })
  await a.ledger.settle({ holdId: 'whole', amount: 20n, flags: [], usageJson: '' })
  await a.die()
  expect(await owner.recoverDead('a')).toBe(1)
  expect(await b.ledger.balance(USER)).toMatchObject({ remaining: 75n, reserved: 0n, used: 25n })
  expect((await b.ledger.audit()).findings).toEqual([])
})
