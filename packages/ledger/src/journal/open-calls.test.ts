import { expect, test } from 'vitest'
import { checkpointLine, openedLine, releasedLine, settledLine } from './journal.fixture.ts'
import { OpenCalls } from './open-calls.ts'

test('calls without an end are known with their last checkpoint and the first of their offsets', () => {
  const open = new OpenCalls()
  const lines = [
    openedLine('a'),
    openedLine('b'),
    openedLine('c'),
    checkpointLine('b', 1n),
    checkpointLine('unknown'),
    settledLine('a'),
    checkpointLine('b', 2n),
    releasedLine('c'),
  ]
  const from = lines.map((line, offset) => {
    open.add({ offset, line })
    return open.openFrom
  })
  expect(from).toEqual([0, 0, 0, 0, 0, 1, 1, 1])
  expect(open.calls()).toMatchObject([{ call: { holdId: 'b' }, checkpoint: { amount: 2n } }])
  open.add({ offset: 8, line: settledLine('b') })
  expect(open.openFrom).toBeUndefined()
  expect(open.size).toBe(0)
})

test('a call that is repeated in the next file is open from there and keeps its checkpoint', () => {
  const open = new OpenCalls()
  open.add({ offset: 500, line: openedLine('a') })
  open.add({ offset: 600, line: checkpointLine('a', 3n) })
  open.add({ offset: 20, line: openedLine('a') })
  expect(open.openFrom).toBe(20)
  expect(open.calls()).toMatchObject([{ checkpoint: { amount: 3n } }])
})
