import { expect, test } from 'vitest'
import { LineGroups } from './line-groups.ts'

test('lines wait with many calls in flight, and with few after a busy turn, until two turns had few lines', () => {
  const groups = new LineGroups()
  expect(groups.shouldWait(7)).toBe(false)
  expect(groups.shouldWait(8)).toBe(true)
  const add = (lines: number) => {
    const group = {}
    for (let line = 0; line < lines; line++) groups.add(group)
  }
  add(3)
  expect(groups.shouldWait(1)).toBe(false)
  add(4)
  expect(groups.shouldWait(1)).toBe(true)
  add(1)
  expect(groups.shouldWait(1)).toBe(true)
  add(1)
  expect(groups.shouldWait(1)).toBe(false)
})
