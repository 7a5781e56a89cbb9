import { expect, it } from 'vitest'
import { newChannelValue } from '../form-value.ts'
import { conflictOf, merged } from './changed-fields.ts'

const loaded = { ...newChannelValue, name: 'a', models: ['x'], priority: 1 }
const stored = { ...loaded, models: ['x', 'y'], priority: 5 }
const edited = { ...loaded, name: 'mine', priority: 9 }

it('reports the fields that the other operator changed, and those that both changed', () => {
  expect(conflictOf({ loaded, edited, stored })).toEqual({
    theirs: { models: ['x', 'y'], priority: 5 },
    contested: ['priority'],
  })
})

it('keeps both edits, and ours where both edited the same field', () => {
  expect(merged({ loaded, edited, stored })).toEqual({
    ...loaded,
    name: 'mine',
    models: ['x', 'y'],
    priority: 9,
  })
})

it('reports no conflict where both entered the same value', () => {
  expect(conflictOf({ loaded, edited: { ...loaded, priority: 5 }, stored }).contested).toEqual([])
})
