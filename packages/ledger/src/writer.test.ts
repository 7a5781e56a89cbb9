import { ManualClock } from '@tollgate/kit/clock'
import { StoreError } from '@tollgate/store/database/errors'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Alarm, Command } from './core/command.ts'
import type { LedgerStorage, Reply } from './core/storage.ts'
import { OperationError } from './pending-operation.ts'
import { Writer } from './writer.ts'
import type { WriterLimits } from './writer-options.ts'

/** A store that answers batches only when the test says so. */
class SlowStore implements Pick<LedgerStorage, 'run'> {
  readonly batches: (readonly Command[])[] = []
  readonly #waiting: { resolve: (replies: readonly Reply[]) => void; reject: (error: Error) => void }[] = []

  run(commands: readonly Command[]): Promise<readonly Reply[]> {
    this.batches.push(commands)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  async answer(reply: (command: Command) => Reply = decided): Promise<void> {
    const index = this.batches.length - this.#waiting.length
    this.#waiting.shift()?.resolve((this.batches[index] ?? []).map(reply))
    await turn()
  }

  async fail(error: Error): Promise<void> {
    this.#waiting.shift()?.reject(error)
    await turn()
  }
}

const decided = (): Reply => ({ type: 'decided', decision: { outcome: { type: 'done' } } })
const reserved = (): Reply => ({ type: 'decided', decision: { outcome: { type: 'reserved' } } })
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
const busy = new StoreError('busy', 'database is locked', { code: 5 })
const broken = new StoreError('fatal', 'disk I/O error', { code: 10 })

let store: SlowStore
let alarms: Alarm[]

beforeEach(() => {
  store = new SlowStore()
  alarms = []
})

const unused = (): Promise<never> => Promise.reject(new Error('not used'))

function newWriter(limits: Partial<WriterLimits> = {}, admissionMs?: number): Writer {
  const instance = { start: unused, recover: unused, end: unused, liveInstances: unused }
  const journals = { fold: unused, positions: unused, statesOf: unused, forgetJournal: unused }
  const allotments = { readAllotments: unused, allottedAccounts: unused }
  const rest = { ...instance, ...journals, ...allotments, balance: unused, rollUp: unused, clean: unused }
  return new Writer({
    storage: { run: (commands) => store.run(commands), audit: unused, gauges: unused, ...rest },
    clock: new ManualClock(),
    instanceId: 'test',
    onAlarm: (alarm) => alarms.push(alarm),
    onDecided: () => undefined,
    limits: { batchMax: 4, queueMax: 100, perUserMax: 100, ...limits },
    admissionMs,
  })
}

const release = (writer: Writer, holdId: string) => writer.submit('release', { holdId })
const reserve = (writer: Writer, holdId: string, userAccount = 4) =>
  writer.submit('reserve', { holdId, userAccount, amount: 1n, ceiling: 1n, priceJson: '{}' })
const asked = (count: number) => expect.poll(() => store.batches.length).toBe(count)
const batchedIds = () =>
  store.batches.map((batch) => batch.map(({ input }) => ('holdId' in input ? input.holdId : '')))

describe('the writer', () => {
  it('sends the operations of one event loop turn as one batch, in order', async () => {
    const writer = newWriter()
    const done = Promise.all(['a', 'b', 'c'].map((id) => release(writer, id)))
    await turn()
    expect(batchedIds()).toEqual([['a', 'b', 'c']])
    await store.answer()
    await done
  })

  it('fills the next batch while one is being written, and sends a full one early', async () => {
    const writer = newWriter()
    const first = release(writer, 'a')
    await turn()
    const rest = ['b', 'c', 'd'].map((id) => release(writer, id))
    await turn()
    expect(batchedIds()).toEqual([['a']])
    rest.push(release(writer, 'e'), release(writer, 'f'))
    await turn()
    expect(batchedIds()).toEqual([['a'], ['b', 'c', 'd', 'e']])
    await store.answer()
    await store.answer()
    await store.answer()
    await Promise.all([first, ...rest])
    expect(batchedIds().at(-1)).toEqual(['f'])
  })

  it('answers a caller only after the store has answered', async () => {
    const writer = newWriter()
    let isAnswered = false
    const done = release(writer, 'a').then(() => (isAnswered = true))
    await turn()
    expect(isAnswered).toBe(false)
    await store.answer()
    await done
    expect(isAnswered).toBe(true)
  })

  it('admits no call beyond the queue limit, and no user beyond the limit per user', async () => {
    const writer = newWriter({ queueMax: 3, perUserMax: 2 })
    const running = [reserve(writer, 'a', 4), reserve(writer, 'b', 4)]
    expect(writer.busy(4)).toBe('user')
    expect(writer.busy(8)).toBeUndefined()
    running.push(reserve(writer, 'c', 8))
    expect(writer.busy(8)).toBe('gateway')
    await turn()
    expect(writer.busy(8)).toBe('gateway')
    await store.answer()
    await Promise.all(running)
    expect(writer.busy(4)).toBeUndefined()
    expect(writer.health().queued).toBe(0)
  })

  it('rejects only the operation that broke a rule, and raises an alarm', async () => {
    const writer = newWriter()
    const done = Promise.allSettled([release(writer, 'good'), release(writer, 'bad')])
    await turn()
    await store.answer(({ input }) =>
      'holdId' in input && input.holdId === 'bad' ? { type: 'failed', detail: 'no' } : decided(),
    )
    expect(await done).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: expect.any(OperationError) },
    ])
    expect(alarms).toMatchObject([{ type: 'operation_failed' }])
  })

  it('runs the operations of a batch one by one when the store could not read one of them', async () => {
    const writer = newWriter()
    const done = Promise.allSettled([release(writer, 'good'), release(writer, 'bad')])
    await turn()
    await store.fail(new StoreError('bug', 'text was sent'))
    await store.answer()
    await store.fail(new StoreError('bug', 'text was sent'))
    expect(await done).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }])
    expect(batchedIds()).toEqual([['good', 'bad'], ['good'], ['bad']])
    expect(writer.health().isWritable).toBe(true)
  })

  it('retries the end of a call while the file is busy, and refuses admissions', async () => {
    const writer = newWriter()
    const admission = reserve(writer, 'a')
    const end = release(writer, 'b')
    await turn()
    await Promise.all([expect(admission).rejects.toBe(busy), store.fail(busy)])
    expect(batchedIds()).toEqual([['a', 'b'], ['b']])
    await store.answer()
    await end
    expect(writer.health().isWritable).toBe(true)
  })

  it('gives up on a file that stays busy, but never drops the end of a call', async () => {
    const writer = newWriter()
    const input = { key: 'gift:new:1', account: 4, amount: 1n }
    const credit = expect(writer.submit('credit', input)).rejects.toBe(busy)
    const end = release(writer, 'a')
    await turn()
    for (let tries = 0; tries < 20; tries++) await store.fail(busy)
    await credit
    expect(store.batches.slice(3, 6).map((batch) => batch.map(({ type }) => type))).toEqual([
      ['credit', 'release'],
      ['credit', 'release'],
      ['release'],
    ])
    // Closing does not wait for ever either.
    expect(await writer.idle(20)).toBe(false)
    await store.answer()
    await end
    expect(await writer.idle(20)).toBe(true)
  })

  it('is not writable after a store failure, and raises one alarm', async () => {
    const writer = newWriter()
    const first = expect(release(writer, 'a')).rejects.toBe(broken)
    await turn()
    await store.fail(broken)
    const second = expect(release(writer, 'b')).rejects.toBe(broken)
    await turn()
    await store.fail(broken)
    await Promise.all([first, second])
    expect(writer.health().isWritable).toBe(false)
    expect(alarms).toEqual([{ type: 'store_failed', detail: 'disk I/O error' }])
  })

  it('is idle once every operation has been answered', async () => {
    const writer = newWriter()
    await writer.idle()
    const done = release(writer, 'a')
    let isIdle = false
    const idle = writer.idle().then(() => (isIdle = true))
    await turn()
    expect(isIdle).toBe(false)
    await store.answer()
    await Promise.all([idle, done])
  })

  describe('when the server goes down', () => {
    const away = new StoreError('unreachable', 'connection refused')

    it('keeps ends of calls until the server is back, and refuses everything else at once', async () => {
      const writer = newWriter()
      const refused = reserve(writer, 'a').catch((error: unknown) => error)
      const settled = release(writer, 'b')
      await turn()
      await store.fail(away)
      expect(await refused).toBe(away)
      expect(writer.health()).toMatchObject({ isWritable: false, queued: 1 })
      await expect(reserve(writer, 'c')).rejects.toMatchObject({ kind: 'unreachable' })
      await expect(writer.submit('credit', { key: 'k', account: 4, amount: 1n })).rejects.toMatchObject({
        kind: 'unreachable',
      })
      const later = release(writer, 'd')
      await asked(2)
      await store.fail(away)
      await asked(3)
      await store.answer()
      await Promise.all([settled, later])
      expect(batchedIds()).toEqual([
        ['a', 'b'],
        ['b', 'd'],
        ['b', 'd'],
      ])
      expect(alarms.map(({ type }) => type)).toEqual(['store_failed', 'store_returned'])
      expect(writer.health()).toMatchObject({ isWritable: true, queued: 0 })
    })

    it('resends the same command objects, so that the store recognises them', async () => {
      const writer = newWriter()
      const settled = release(writer, 'a')
      await turn()
      await store.fail(away)
      await asked(2)
      await store.answer()
      await settled
      expect(store.batches[1]?.[0]).toBe(store.batches[0]?.[0])
    })

    it('refuses the admissions queued behind the batch that found the server down', async () => {
      const writer = newWriter()
      const sent = release(writer, 'a')
      await turn()
      const queued = [reserve(writer, 'b'), release(writer, 'c')] as const
      await Promise.all([expect(queued[0]).rejects.toBe(away), store.fail(away)])
      expect(writer.busy(4)).toBeUndefined()
      await asked(2)
      await store.answer()
      await Promise.all([sent, queued[1]])
      expect(batchedIds()).toEqual([['a'], ['a', 'c']])
    })

    it('probes the server with an empty batch when nothing is queued', async () => {
      const writer = newWriter()
      const refused = reserve(writer, 'a').catch(() => undefined)
      await turn()
      await store.fail(away)
      await refused
      await asked(2)
      expect(store.batches[1]).toEqual([])
      await store.answer()
      expect(writer.health().isWritable).toBe(true)
    })

    it('stops waiting for the server after a while when it closes', async () => {
      const writer = newWriter()
      void release(writer, 'a').catch(() => undefined)
      await turn()
      await store.fail(away)
      expect(await writer.idle(20)).toBe(false)
      await asked(2)
      await store.answer()
    })
  })

  describe('when the server does not answer', () => {
    const silent = { kind: 'unreachable', message: expect.stringContaining('did not answer') }

    it('refuses admissions after a while and later ones at once, but still ends admitted calls', async () => {
      const writer = newWriter({}, 500)
      const sent = expect(reserve(writer, 'a')).rejects.toMatchObject(silent)
      await turn()
      const queued = expect(reserve(writer, 'b')).rejects.toMatchObject(silent)
      const end = release(writer, 'c')
      await Promise.all([sent, queued])
      expect(writer.health().isWritable).toBe(false)
      const later = await Promise.race([reserve(writer, 'd').catch(() => 'refused'), turn()])
      expect(later).toBe('refused')
      expect(alarms.map(({ type }) => type)).toEqual(['store_failed'])
      await store.answer(reserved)
      await asked(2)
      await store.answer()
      await end
      // The first caller was already refused, so its hold must not stay open.
      expect(batchedIds()).toEqual([['a'], ['c', 'a']])
      expect(store.batches[1]?.map(({ type }) => type)).toEqual(['release', 'release'])
      expect(alarms.map(({ type }) => type)).toEqual(['store_failed', 'store_returned'])
      const admitted = reserve(writer, 'e')
      await asked(3)
      await store.answer(reserved)
      expect(await admitted).toEqual({ type: 'reserved' })
      expect(writer.health()).toMatchObject({ isWritable: true, queued: 0 })
    })

    it('probes again with the next admission when the store was locked', async () => {
      const writer = newWriter({}, 500)
      await expect(reserve(writer, 'a')).rejects.toMatchObject(silent)
      await store.fail(busy)
      const next = reserve(writer, 'b')
      await asked(2)
      await store.answer(reserved)
      expect(await next).toEqual({ type: 'reserved' })
      expect(writer.busy(4)).toBeUndefined()
    })

    it('does not count the time that earlier admissions took', async () => {
      const writer = newWriter({}, 1_000)
      for (let index = 0; index < 60; index++) {
        const admitted = reserve(writer, `call-${index}`)
        await asked(index + 1)
        await new Promise((resolve) => setTimeout(resolve, 20))
        await store.answer(reserved)
        expect(await admitted).toEqual({ type: 'reserved' })
      }
      expect(alarms).toEqual([])
    })
  })
})
