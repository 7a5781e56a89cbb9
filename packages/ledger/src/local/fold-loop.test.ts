import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AllotmentReport } from '../inputs.ts'
import type { FoldResult } from '../results.ts'
import { FoldLoop } from './fold-loop.ts'
import type { UnfoldedRange } from './unfolded-range.ts'

const report: AllotmentReport = { account: 4, free: 1n, openHolds: 0, exposed: 0n }

/** A journal of `size` bytes in one file, and a ledger that answers with these results in turn. */
function foldWith(size: number, answers: readonly (FoldResult | Error)[]) {
  const left = [...answers]
  const ranges: UnfoldedRange[] = []
  const failures: unknown[] = []
  const reportedAgain: AllotmentReport[] = []
  let folded = 0
  const loop = new FoldLoop({
    next: () =>
      folded < size ? { path: 'p', fileId: 'f', from: folded, to: size, isComplete: true } : undefined,
    end: () => ({ path: 'p', fileId: 'f', from: size, to: size, isComplete: true }),
    hasReports: () => false,
    done: (_range, position) => {
      folded = position
    },
    takeReports: () => [report],
    reportAgain: (reports) => reportedAgain.push(...reports),
    fold: async (range) => {
      ranges.push(range)
      const answer = left.shift()
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no more answers')
      return answer
    },
    onFolded: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  return { loop, ranges, failures, reportedAgain }
}

const foldedAll: FoldResult = { type: 'folded', taken: [], recovered: 0, scarce: [] }

test('a range of which the ledger has the first part is continued behind that part', async () => {
  const away = new Error('the store failed in the middle of the range')
  const { loop, ranges, reportedAgain } = foldWith(100, [away, { type: 'moved', position: 40 }, foldedAll])
  expect(await loop.catchUp()).toBe(false)
  expect(await loop.catchUp()).toBe(true)
  expect(ranges.map(({ from, to }) => [from, to])).toEqual([
    [0, 100],
    [0, 100],
    [40, 100],
  ])
  expect(reportedAgain).toEqual([report, report])
  expect(await loop.close()).toBe(true)
})

test('several failures in a row are reported once, and again after a success', async () => {
  const { loop, failures } = foldWith(100, [
    new Error('one'),
    new Error('two'),
    { type: 'moved', position: 50 },
    new Error('three'),
    foldedAll,
  ])
  for (let tries = 0; tries < 4; tries++) await loop.catchUp()
  expect(failures.map(String)).toEqual(['Error: one', 'Error: three'])
  expect(await loop.close()).toBe(true)
})

/** A journal whose size the test sets, and a ledger that takes `foldMs` for each fold. */
function growing({ foldMs = 0, onFold = () => {} }: { foldMs?: number; onFold?: (count: number) => void }) {
  const journal = { size: 100 }
  const ranges: (readonly [from: number, to: number])[] = []
  let folded = 0
  const loop = new FoldLoop({
    next: () =>
      folded < journal.size
        ? { path: 'p', fileId: 'f', from: folded, to: journal.size, isComplete: true }
        : undefined,
    end: () => ({ path: 'p', fileId: 'f', from: folded, to: folded, isComplete: true }),
    hasReports: () => false,
    done: (_range, position) => {
      folded = position
    },
    takeReports: () => [],
    reportAgain: () => undefined,
    fold: async ({ from, to }) => {
      ranges.push([from, to])
      onFold(ranges.length)
      if (foldMs > 0) await sleep(foldMs)
      return foldedAll
    },
    onFolded: () => undefined,
    onFailure: () => undefined,
  })
  return { loop, journal, ranges }
}

test('lines written during a fold wait for the next one', async () => {
  const { loop, journal, ranges } = growing({
    onFold: (count) => {
      if (count < 5) journal.size += 100
    },
  })
  expect(await loop.catchUp()).toBe(true)
  expect(ranges).toEqual([[0, 100]])
  expect(await loop.catchUp()).toBe(true)
  expect(ranges).toEqual([
    [0, 100],
    [100, 200],
  ])
})

test('lines whose timer fires during a slow fold are folded without further lines', async () => {
  const { loop, journal, ranges } = growing({
    foldMs: 300,
    onFold: (count) => {
      if (count > 1) return
      journal.size += 100
      loop.wake()
    },
  })
  loop.wake()
  await expect
    .poll(() => ranges)
    .toEqual([
      [0, 100],
      [100, 200],
    ])
  expect(await loop.close()).toBe(true)
})

test('an account that changed without a line is reported, as soon as the ledger does not decide about it', async () => {
  const folds: { range: UnfoldedRange; reports: readonly AllotmentReport[] }[] = []
  const end: UnfoldedRange = { path: 'p', fileId: 'f', from: 100, to: 100, isComplete: true }
  let isChanged = true
  let isAsked = true
  const takeReports = (): readonly AllotmentReport[] => {
    if (isAsked) return []
    isChanged = false
    return [report]
  }
  const loop = new FoldLoop({
    next: () => undefined,
    end: () => end,
    hasReports: () => isChanged,
    done: () => undefined,
    takeReports,
    reportAgain: () => undefined,
    fold: async (range, reports) => {
      folds.push({ range, reports })
      return foldedAll
    },
    onFolded: () => undefined,
    onFailure: () => undefined,
  })
  expect(await loop.catchUp()).toBe(true)
  expect(folds).toEqual([])
  isAsked = false
  await expect.poll(() => folds).toEqual([{ range: end, reports: [report] }])
  expect(await loop.close()).toBe(true)
})

test('a range that was folded in part is continued behind that part, and its accounts are reported again', async () => {
  const { loop, ranges, reportedAgain, failures } = foldWith(100, [{ ...foldedAll, to: 40 }, foldedAll])
  expect(await loop.catchUp()).toBe(true)
  expect(ranges.map(({ from, to }) => [from, to])).toEqual([
    [0, 100],
    [40, 100],
  ])
  expect(reportedAgain).toEqual([report])
  expect(failures).toEqual([])
  expect(await loop.close()).toBe(true)
})
