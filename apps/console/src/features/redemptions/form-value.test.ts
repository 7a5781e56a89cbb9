import dayjs from 'dayjs'
import { expect, it } from 'vitest'
import { areDatesReversed, createBodyOf, newCodeValue } from './form-value.ts'

it('names a code after its amount when no name is given', () => {
  expect(createBodyOf(newCodeValue, '$0.20')).toEqual({
    name: '$0.20',
    quota: 100_000,
    count: 1,
    is_gift: false,
    valid_from: 0,
    valid_until: 0,
  })
})

it('sends a chosen code instead of a count, and max_uses for gifts only', () => {
  const value = { ...newCodeValue, name: ' a ', key: ' welcome ', count: 9, maxUses: 5 }
  expect(createBodyOf(value, '')).toMatchObject({ name: 'a', key: 'welcome' })
  expect(createBodyOf(value, '').count).toBeUndefined()
  expect(createBodyOf(value, '').max_uses).toBeUndefined()
  expect(createBodyOf({ ...value, isGift: true }, '')).toMatchObject({ max_uses: 5 })
})

it('detects dates in the wrong order', () => {
  const [first, second] = [dayjs.unix(100), dayjs.unix(200)]
  expect(areDatesReversed({ validFrom: first, validUntil: second })).toBe(false)
  expect(areDatesReversed({ validFrom: second, validUntil: first })).toBe(true)
  expect(areDatesReversed({ validFrom: first, validUntil: first })).toBe(true)
  expect(areDatesReversed({ validUntil: first })).toBe(false)
  expect(areDatesReversed({ validFrom: dayjs('no date'), validUntil: first })).toBe(false)
})
