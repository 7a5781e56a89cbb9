import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Job } from './job.ts'
import { openJobs } from './open-jobs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const errors: object[] = []
const log = { info: () => undefined, error: (fields: object) => void errors.push(fields) }

function job(run: () => Promise<void>, more: Partial<Job> = {}): Job {
  return { name: 'test', everyMs: 100, runs: 'everywhere', run, ...more }
}

test('a job runs on its schedule, and a slow job does not overlap itself', async () => {
  let runs = 0
  const gates: (() => void)[] = []
  const slow = job(() => {
    runs++
    return new Promise((resolve) => void gates.push(resolve))
  })
  const jobs = openJobs({ jobs: [slow], mayRunOnce: () => true, log })
  await vi.advanceTimersByTimeAsync(350)
  expect(runs).toBe(1)
  gates[0]?.()
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(2)
  gates[1]?.()
  await jobs.close()
})

test('a job that runs in one process runs only where `mayRunOnce` holds when it is due', async () => {
  const ran: string[] = []
  const named = (name: string, runs: Job['runs']) => job(async () => void ran.push(name), { name, runs })
  let mayRun = false
  const jobs = openJobs({
    jobs: [named('one', 'once'), named('all', 'everywhere')],
    mayRunOnce: () => mayRun,
    log,
  })
  await vi.advanceTimersByTimeAsync(100)
  expect(ran).toEqual(['all'])
  mayRun = true
  await vi.advanceTimersByTimeAsync(100)
  expect(ran).toEqual(['all', 'one', 'all'])
  await jobs.close()
})

test('a failed job is logged and runs again; the first run may come sooner', async () => {
  let runs = 0
  const failing = job(
    async () => {
      if (++runs === 1) throw new Error('away')
    },
    { firstMs: 10 },
  )
  const jobs = openJobs({ jobs: [failing], mayRunOnce: () => true, log })
  await vi.advanceTimersByTimeAsync(10)
  expect(errors).toMatchObject([{ job: 'test' }])
  await vi.advanceTimersByTimeAsync(90)
  expect(runs).toBe(2)
  await jobs.close()
})

test('closing waits for running jobs, and no new run begins', async () => {
  let isDone = false
  let runs = 0
  const slow = job(async () => {
    runs++
    await new Promise((resolve) => setTimeout(resolve, 50))
    isDone = true
  })
  const jobs = openJobs({ jobs: [slow], mayRunOnce: () => true, log })
  await vi.advanceTimersByTimeAsync(100)
  const closed = jobs.close()
  await vi.advanceTimersByTimeAsync(1_000)
  await closed
  expect([runs, isDone]).toEqual([1, true])
})

test('a job with a schedule runs once at each of its times, and a stop ends its work early', async () => {
  const clock = { nowMs: () => Date.now(), monotonicMs: () => Date.now() }
  const everyMinute = {
    pattern: 'every minute',
    next: (ms: number) => (Math.floor(ms / 60_000) + 1) * 60_000,
  }
  const stops: unknown[] = []
  const scheduled: Job = {
    name: 'scheduled',
    runs: 'once',
    schedule: everyMinute,
    run: async (context) => {
      context?.signal.addEventListener('abort', () => stops.push('stopped'))
    },
  }
  vi.setSystemTime(0)
  const jobs = openJobs({ jobs: [scheduled], mayRunOnce: () => true, log, clock })
  await vi.advanceTimersByTimeAsync(185_000)
  await jobs.close()
  expect(stops).toEqual(['stopped', 'stopped', 'stopped'])
})

test('at a stop each job cleans up after its last run, and one that cannot holds up nothing', async () => {
  const order: string[] = []
  const ending = job(
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      order.push('ran')
    },
    { name: 'ending', end: async () => void order.push('ended') },
  )
  const broken = job(async () => undefined, { name: 'broken', end: () => Promise.reject(new Error('away')) })
  errors.length = 0
  const jobs = openJobs({ jobs: [ending, broken], mayRunOnce: () => true, log })
  await vi.advanceTimersByTimeAsync(100)
  const closed = jobs.close()
  await vi.advanceTimersByTimeAsync(1_000)
  await closed
  expect(order).toEqual(['ran', 'ended'])
  expect(errors).toMatchObject([{ job: 'broken' }])
})
