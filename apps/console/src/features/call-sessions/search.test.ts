import { expect, it } from 'vitest'
import { affinityOf } from './affinity-of.ts'
import { beginningOf, callSessionSearchSchema } from './search.ts'
import { cachedShare } from './share.ts'

it('the address has a default for every parameter and ignores invalid ones', () => {
  const defaults = { p: 1, days: 7, client: '', username: '', session: '' }
  expect(callSessionSearchSchema.parse({})).toEqual(defaults)
  expect(callSessionSearchSchema.parse({ days: '3', p: '-1' })).toEqual(defaults)
  expect(callSessionSearchSchema.parse({ days: '30', session: 'abc' })).toMatchObject({
    days: 30,
    session: 'abc',
  })
})

it('the range begins at a full hour', () => {
  expect(beginningOf(1, 1_795_000_123_456) % 3600).toBe(0)
  expect(beginningOf(1, 7_200_000 + 86_400_000)).toBe(7200)
})

it('the cached share is a part of the input', () => {
  expect(cachedShare({ prompt_tokens: 2000, cached_tokens: 1500 })).toBe('75.0 %')
  expect(cachedShare({ prompt_tokens: 0, cached_tokens: 0 })).toBe('')
})

it('what affinity did is read from the row', () => {
  expect(affinityOf({ other: '{"frt":1,"affinity":"moved"}' })).toBe('moved')
  expect(affinityOf({ other: '{"affinity":"else"}' })).toBeUndefined()
})
