import { expect, test } from 'vitest'
import type { AllotmentReport } from '../inputs.ts'
import type { FoldResult } from '../results.ts'
import { FoldLoop, type UnfoldedRange } from './fold-loop.ts'

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

test('lines written during a fold wait for the next one', async () => {
  let size = 100
  let folded = 0
  const ranges: UnfoldedRange[] = []
  const loop = new FoldLoop({
    next: () =>
      folded < size ? { path: 'p', fileId: 'f', from: folded, to: size, isComplete: true } : undefined,
    done: (_range, position) => {
      folded = position
    },
    takeReports: () => [],
    reportAgain: () => undefined,
    fold: async (range) => {
      ranges.push(range)
      if (ranges.length < 5) size += 100
      return foldedAll
    },
    onFolded: () => undefined,
    onFailure: () => undefined,
  })
  expect(await loop.catchUp()).toBe(true)
  expect(ranges.map(({ from, to }) => [from, to])).toEqual([[0, 100]])
  expect(await loop.catchUp()).toBe(true)
  expect(ranges.map(({ from, to }) => [from, to])).toEqual([
    [0, 100],
    [100, 200],
  ])
})
