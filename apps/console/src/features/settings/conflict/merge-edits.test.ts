import { expect, it } from 'vitest'
import { joined } from './merge-edits.ts'

const base = '{"a":1,"b":2,"c":3}'

it('merges changes to different entries', () => {
  const both = joined({ base, theirs: '{"a":10,"b":2,"c":3,"new":1}', ours: '{"a":1,"c":30}' })
  expect(JSON.parse(both.text)).toEqual({ a: 10, c: 30, new: 1 })
  expect(both.contested).toEqual([])
})

it('keeps ours where both changed the same entry, and reports the conflict', () => {
  const both = joined({ base, theirs: '{"a":10,"b":2}', ours: '{"a":11,"b":2,"c":4}' })
  expect(JSON.parse(both.text)).toEqual({ a: 11, b: 2, c: 4 })
  expect(both.contested).toEqual(['a', 'c'])
  expect(joined({ base, theirs: '{"a":9}', ours: '{"a":9}' }).contested).toEqual([])
})

it.each(['West', '[1]', '{"a":'])('keeps ours for text that is not a JSON object: %s', (ours) => {
  expect(joined({ base: 'East', theirs: 'North', ours })).toEqual({ text: ours, contested: undefined })
})
