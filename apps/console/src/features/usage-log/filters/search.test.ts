import { describe, expect, it } from 'vitest'
import { parseSearch, stringifySearch, withoutDefaults } from '../../../shared/routing/search.ts'
import { activeFilters, defaultRange, logQuery, logSearchSchema } from './search.ts'

const standard = { start: 100, end: 200 }
const read = (address: string) => logSearchSchema.parse(parseSearch(address))

describe('the address of the usage log', () => {
  it('has a default for every parameter', () => {
    expect(read('')).toEqual({
      p: 1,
      type: 'calls',
      start_timestamp: 0,
      end_timestamp: 0,
      token_name: '',
      model_name: '',
      group: '',
      channel: 0,
      username: '',
      request_id: '',
      session: '',
      client: '',
    })
  })

  it('is read back as it was written', () => {
    const search = {
      ...read(''),
      p: 3,
      type: 2,
      model_name: 'gpt-4o%',
      token_name: '批量 翻译&x=1',
      channel: 7,
      start_timestamp: 5,
    }
    const address = stringifySearch(withoutDefaults(logSearchSchema, search))
    expect(read(address)).toEqual(search)
    expect(address).not.toContain('group')
  })

  it('ignores invalid values', () => {
    const damaged = read(`?p=-2&type=99&channel=abc&start_timestamp=1.5&model_name=${'x'.repeat(300)}`)
    expect(damaged).toEqual(read(''))
  })

  it('keeps a name that looks like a number', () => {
    expect(read('?token_name=007').token_name).toBe('007')
  })
})

describe('logQuery', () => {
  it('uses the default range if none is set', () => {
    expect(logQuery(read('?type=0'), standard, false)).toEqual({ start_timestamp: 100, end_timestamp: 200 })
  })

  it('requests only calls unless a type was selected', () => {
    expect(logQuery(read(''), standard, false)).toMatchObject({ calls: true })
    const errors = logQuery(read('?type=8'), standard, false)
    expect(errors).toMatchObject({ type: 8 })
    expect(errors).not.toHaveProperty('calls')
  })

  it('leaves out channel and user for a reader who may not filter by them', () => {
    const filters = read('?channel=7&username=lin&group=vip')
    expect(logQuery(filters, standard, false)).toEqual({
      calls: true,
      start_timestamp: 100,
      end_timestamp: 200,
      group: 'vip',
    })
    expect(logQuery(filters, standard, true)).toMatchObject({ channel: 7, username: 'lin' })
  })

  it('searches for a session without a time range, unless one was set', () => {
    expect(logQuery(read('?session=abc&type=0'), standard, false)).toEqual({ session: 'abc' })
    const ranged = logQuery(read('?session=abc&start_timestamp=5'), standard, false)
    expect(ranged).toEqual({ calls: true, session: 'abc', start_timestamp: 5, end_timestamp: 200 })
  })

  it('searches for a request id without a time range', () => {
    expect(logQuery(read('?request_id=abc'), standard, false)).toEqual({ request_id: 'abc' })
  })
})

describe('the default range', () => {
  it('starts at local midnight and ends an hour from now', () => {
    const now = new Date(2026, 10, 20, 20, 58, 12)
    expect(defaultRange(now)).toEqual({
      start: new Date(2026, 10, 20).getTime() / 1000,
      end: now.getTime() / 1000 + 3600,
    })
  })
})

it('counts the active filters', () => {
  expect(activeFilters(read('?p=4'))).toBe(0)
  expect(activeFilters(read('?type=0'))).toBe(0)
  expect(activeFilters(read('?start_timestamp=5&end_timestamp=9&group=vip&type=2'))).toBe(3)
})
