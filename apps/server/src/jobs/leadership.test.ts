import { setTimeout as sleep } from 'node:timers/promises'
import { ManualClock, systemClock } from '@tollgate/kit/clock'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Leadership, seekLeadership } from './leadership.ts'

let store: Store
const open: Leadership[] = []
beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((leadership) => leadership.close()))
  await store.close()
})

async function join(holder: string, { leaseMs = 60_000, clock = systemClock } = {}): Promise<Leadership> {
  const leadership = await seekLeadership({ db: store.db, clock, name: 'jobs', holder, leaseMs })
  open.push(leadership)
  return leadership
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}

test('one process is leader until it gives the leadership up', async () => {
  const [first, second] = [await join('a', { leaseMs: 300 }), await join('b', { leaseMs: 300 })]
  expect([first.isOurs, second.isOurs]).toEqual([true, false])
  await first.close()
  expect(first.isOurs).toBe(false)
  await until(() => second.isOurs)
})

test('another process takes over when the leader has died', async () => {
  await store.db
    .insertInto('lease')
    .values({ name: 'jobs', holder: 'dead', until_ms: Date.now() + 200 })
    .execute()
  const leadership = await join('b', { leaseMs: 150 })
  expect(leadership.isOurs).toBe(false)
  await until(() => leadership.isOurs)
})

test('a process that was paused knows without the database that its leadership may have ended', async () => {
  const clock = new ManualClock()
  const leadership = await join('a', { clock })
  clock.advance(59_999)
  expect(leadership.isOurs).toBe(true)
  clock.advance(1)
  expect(leadership.isOurs).toBe(false)
})

test('while the database is unavailable the leader stays leader until its lease ends, and no longer', async () => {
  const clock = new ManualClock()
  const leadership = await join('a', { clock, leaseMs: 30 })
  await store.db.schema.dropTable('lease').execute()
  await sleep(50)
  expect(leadership.isOurs).toBe(true)
  clock.advance(30)
  expect(leadership.isOurs).toBe(false)
  await store.db.schema
    .createTable('lease')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text')
    .addColumn('until_ms', 'integer')
    .execute()
  await until(() => leadership.isOurs)
})
