import { ManualClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import type { Store } from '@tollgate/store/database/open-store'
import { openNewStore } from '@tollgate/testkit/new-store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Deliverer, type Delivery, OutboxWorker, TAKEN_MS } from '../../src/jobs/outbox-worker.ts'
import { type Outbox, openOutbox, outboxContext } from '../../src/services/outbox/outbox.ts'

const cipher = openCipher(Buffer.alloc(32, 7))
const silent = { info: () => undefined, error: () => undefined }
const SECOND_MS = 1000

let store: Store
let clock: ManualClock
let workers: OutboxWorker[]
let outbox: Outbox
beforeEach(async () => {
  store = await openNewStore({ sqlitePath: ':memory:' })
  clock = new ManualClock()
  workers = []
  outbox = openOutbox({ store: store.db, clock, cipher, onAdded: () => undefined })
})
afterEach(async () => {
  for (const worker of workers) await worker.close()
  await store.close()
})

function worker(deliverer: Partial<Deliverer> & Pick<Deliverer, 'deliver'>): OutboxWorker {
  const made = new OutboxWorker({
    store: store.db,
    clock,
    log: silent,
    open: ({ cause, payload }): unknown => JSON.parse(cipher.decrypt(payload, outboxContext(cause))),
    deliverers: { mail: { isRepeatable: false, ...deliverer } },
  })
  workers.push(made)
  return made
}

const work = (cause: string) => ({ cause, kind: 'mail' as const, payload: { text: `of ${cause}` } })
const states = () =>
  store.db
    .selectFrom('outbox')
    .select(['cause', 'state', 'attempts', 'payload', 'reason'])
    .orderBy('id')
    .execute()

test('an entry with the same cause is delivered once by any number of workers, and forgotten afterwards', async () => {
  const served: unknown[] = []
  const deliver = async ({ payload }: { payload: unknown }): Promise<Delivery> => {
    served.push(payload)
    return { type: 'done' }
  }
  const team = [worker({ deliver }), worker({ deliver }), worker({ deliver })]
  expect(await outbox.add(work('one'))).toBe(true)
  expect(await outbox.add(work('one'))).toBe(false)
  for (let number = 0; number < 20; number++) await outbox.add(work(`more ${number}`))
  await Promise.all(team.map((one) => one.settle()))
  expect(served).toHaveLength(21)
  expect(new Set(served.map((one) => JSON.stringify(one))).size).toBe(21)
  expect((await states()).every(({ state, payload }) => state === 'done' && payload === '')).toBe(true)
  expect(await outbox.add(work('one'))).toBe(false)
})

test('an outbox entry queued in a transaction that rolls back is not queued', async () => {
  const failing = store.db.transaction().execute(async (transaction) => {
    await outbox.add(work('lost'), transaction)
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  expect(await states()).toEqual([])
})

test('a temporary failure is retried at growing intervals and given up in the end', async () => {
  const triedAt: number[] = []
  const start = clock.nowMs()
  const one = worker({
    deliver: async () => {
      triedAt.push((clock.nowMs() - start) / SECOND_MS)
      return { type: 'again', reason: 'busy' }
    },
  })
  await outbox.add(work('stubborn'))
  for (let second = 0; second < 40_000; second += 10) {
    await one.settle()
    clock.advance(10 * SECOND_MS)
  }
  expect(triedAt).toEqual([0, 10, 70, 370, 2170, 9370])
  expect(await states()).toMatchObject([{ state: 'failed', attempts: 6, reason: 'busy', payload: '' }])
})

test('a permanent failure is not retried', async () => {
  let tries = 0
  const one = worker({
    deliver: async () => {
      tries++
      return { type: 'failed', reason: 'no such reader' }
    },
  })
  await outbox.add(work('final'))
  await one.settle()
  clock.advance(TAKEN_MS * 100)
  await one.settle()
  expect(tries).toBe(1)
})

test.each([
  [false, 'failed', 0],
  [true, 'done', 1],
])(
  'an entry whose worker died half-way is retried only if repeating it is harmless: %s',
  async (isRepeatable, state, times) => {
    const late = Promise.withResolvers<Delivery>()
    const stuck = worker({ isRepeatable, deliver: () => late.promise })
    await outbox.add(work('half done'))
    stuck.wake()
    await expect.poll(states).toMatchObject([{ state: 'taken' }])
    let served = 0
    const next = worker({
      isRepeatable,
      deliver: async () => {
        served++
        return { type: 'done' }
      },
    })
    clock.advance(TAKEN_MS - 1)
    await next.settle()
    expect(served).toBe(0)
    clock.advance(1)
    await next.settle()
    await next.settle()
    expect(served).toBe(times)
    late.resolve({ type: 'failed', reason: 'too late to say' })
    await stuck.settle()
    expect(await states()).toMatchObject([{ state, reason: expect.not.stringMatching('too late') }])
  },
)

test('a slow delivery does not delay the others', async () => {
  const slow = Promise.withResolvers<Delivery>()
  const served: string[] = []
  const one = worker({
    deliver: ({ cause }) => {
      if (cause === 'slow') return slow.promise
      served.push(cause)
      return Promise.resolve({ type: 'done' })
    },
  })
  await outbox.add(work('slow'))
  await outbox.add(work('quick'))
  one.wake()
  await expect.poll(() => served).toEqual(['quick'])
  slow.resolve({ type: 'done' })
  await one.settle()
  expect((await states()).map(({ state }) => state)).toEqual(['done', 'done'])
})

test('an unexpected exception counts as a temporary failure', async () => {
  const one = worker({ deliver: () => Promise.reject(new Error('a bug')) })
  await outbox.add(work('unlucky'))
  await one.settle()
  expect(await states()).toMatchObject([{ state: 'pending', attempts: 1, reason: 'an internal error' }])
})
