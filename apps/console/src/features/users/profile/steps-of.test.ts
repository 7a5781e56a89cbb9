import { expect, test } from 'vitest'
import { stepsOf } from './steps-of.ts'

const after = (...balances: number[]) => balances.map((balance_after) => ({ balance_after }))

test('draws each entry as one step, with the highest balance at the top', () => {
  expect(stepsOf(after(100, 0, 50, 50))).toEqual({
    path: 'M0 2H200V94H400V48H600V48H800',
    lowest: 0,
    highest: 100,
  })
})

test('draws a balance that never changed as a line in the middle', () => {
  expect(stepsOf(after(7, 7)).path).toBe('M0 48H400V48H800')
})
