import { expect, it } from 'vitest'
import { newChannelValue } from '../form-value.ts'
import { conflictOf, merged } from './changed-fields.ts'

const loaded = { ...newChannelValue, name: 'a', models: ['x'], priority: 1 }
const stored = { ...loaded, models: ['x', 'y'], priority: 5 }
const edited = { ...loaded, name: 'mine', priority: 9 }

it('tells what the other one changed, and what of it both did', () => {
  expect(conflictOf({ loaded, edited, stored })).toEqual({
    theirs: { models: ['x', 'y'], priority: 5 },
    contested: ['priority'],
  })
})

it('keeps both edits, ours where both edited', () => {
  expect(merged({ loaded, edited, stored })).toEqual({
    ...loaded,
    name: 'mine',
    models: ['x', 'y'],
    priority: 9,
  })
})

it('sees no quarrel where both said the same', () => {
  expect(conflictOf({ loaded, edited: { ...loaded, priority: 5 }, stored }).contested).toEqual([])
})
