import { expect, test } from 'vitest'
import type { FoldInput } from '../inputs.ts'
import type { CallEnd } from '../journal/line.ts'

import { runFoldStep, foldInParts, foldNow } from './fold-parts.ts'
import type { Reply } from './storage.ts'

const MIB = 1024 * 1024
const range = { path: '/j', fileId: 'node-1', instanceId: 'node', reports: [], openFrom: undefined } as const
const end = (holdId: string): CallEnd => ({ type: 'released', holdId, endedMs: 1, log: undefined })

/** Folds the lines that end at these positions; `reply` tells how each transaction went. */
function fold(positions: readonly number[], reply: (input: FoldInput) => Reply) {
  const to = positions.at(-1) ?? 0
  const ends = positions.map((position) => ({ end: end(String(position)), to: position }))
  const folding = foldInParts({ ...range, from: 0, to }, { ends, interrupted: [], unreadable: [] })
  const inputs: FoldInput[] = []
  let step = folding.next({ type: 'failed', detail: '' })
  while (!step.done) {
    inputs.push(step.value)
    step = folding.next(reply(step.value))
  }
  return { inputs, result: step.value.result }
}

const done: Reply = {
  type: 'decided',
  decision: { outcome: { type: 'folded', taken: [], recovered: 0, scarce: [] } },
}

test('a large range is divided behind its lines', () => {
  const positions = [0.5, 1, 2.5, 3, 4, 5, 5.1].map((mib) => mib * MIB)
  const { inputs, result } = fold(positions, () => done)
  expect(result.type).toBe('folded')
  expect(inputs.map(({ from, to }) => [from / MIB, to / MIB])).toEqual([
    [0, 2.5],
    [2.5, 5],
    [5, 5.1],
  ])
  expect(inputs.flatMap(({ ends }) => ends.map(({ holdId }) => Number(holdId)))).toEqual(positions)
})

const isBad = ({ ends }: FoldInput) => ends.some(({ holdId }) => holdId === '30')

test('a range of usual size is one transaction, and a bad line is alone in the end', () => {
  const positions = [10, 20, 30, 40]
  const { inputs } = fold(positions, (input) =>
    isBad(input) ? { type: 'failed', detail: 'the reason' } : done,
  )
  expect(inputs[0]).toMatchObject({ from: 0, to: 40 })
  const rejected = inputs.flatMap((input) => input.rejected)
  expect(rejected).toMatchObject([{ position: 20, reason: 'the reason' }])
})

const takenOf = (amount: bigint): Reply => ({
  type: 'decided',
  decision: { outcome: { type: 'folded', taken: [{ account: 4, amount }], recovered: 0, scarce: [] } },
})

const twoParts = {
  ends: [1, 2.5, 4].map((mib) => ({ end: end(String(mib)), to: mib * MIB })),
  interrupted: [],
  unreadable: [],
}

test('when the store fails in the middle of a range, the result tells what the first part took and where it ends', () => {
  const { result } = foldNow({ ...range, from: 0, to: 4 * MIB }, twoParts, goneAfterFirst)
  expect(result).toMatchObject({ type: 'folded', taken: [{ account: 4, amount: 7n }], to: 2.5 * MIB })
})

function goneAfterFirst({ from }: FoldInput): Reply {
  return from > 0 ? goneAway() : takenOf(7n)
}

function goneAway(): Reply {
  throw new Error('the store went away')
}

test('when the store fails before anything of a range was folded, the fold fails', () => {
  expect(() => foldNow({ ...range, from: 0, to: 4 * MIB }, twoParts, goneAway)).toThrow('the store went away')
})

test('the last range of a dead process is never folded in part', async () => {
  const last = { ...range, from: 0, to: 4 * MIB, last: { openFrom: 0 } }
  const folding = foldInParts(last, twoParts)
  folding.next()
  expect((await runFoldStep(folding, Promise.resolve(takenOf(7n)))).done).toBe(false)
  await expect(runFoldStep(folding, Promise.reject(new Error('away')))).rejects.toThrow('away')
})
