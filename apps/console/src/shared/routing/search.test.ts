import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseSearch, stringifySearch, withoutDefaults } from './search.ts'

const schema = z.object({
  p: z.coerce.number().int().min(1).catch(1),
  group: z.string().catch(''),
})

describe('the address', () => {
  it('is plain text without empty parameters', () => {
    expect(stringifySearch({ p: 2, group: 'vip & co', model: '', type: undefined })).toBe(
      '?p=2&group=vip+%26+co',
    )
    expect(stringifySearch({})).toBe('')
  })

  it('is read back as it was written', () => {
    expect(parseSearch('?p=2&group=vip+%26+co')).toEqual({ p: '2', group: 'vip & co' })
  })

  it('keeps number-like values as text until the schema converts them', () => {
    expect(parseSearch('?group=007')).toEqual({ group: '007' })
  })
})

describe('withoutDefaults', () => {
  it('keeps only values that differ from the defaults', () => {
    expect(withoutDefaults(schema, { p: '3', group: '' })).toEqual({ p: 3 })
    expect(withoutDefaults(schema, { p: '1', group: 'vip' })).toEqual({ group: 'vip' })
  })

  it('drops unknown parameters and replaces invalid values', () => {
    expect(withoutDefaults(schema, { p: 'x', evil: '1' })).toEqual({})
  })
})
