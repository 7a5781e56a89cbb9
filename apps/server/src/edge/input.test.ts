import { channelRoutes } from '@tollgate/contract/channel'
import { Problem } from '@tollgate/kit/problem'
import { redemptionRoutes } from '@tollgate/contract/redemption'
import { idParams } from '@tollgate/contract/query'
import { tokenCreateSchema, tokenRoutes } from '@tollgate/contract/token'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseInput } from './input.ts'

const anything = z.object({}).loose()

describe('input', () => {
  it.each([
    ['a text', { note: 'a\0b' }, 'note'],
    ['a text within', { rows: [{ name: '\0' }] }, 'rows.0.name'],
    ['a name of a member', { 'a\0': 1 }, ''],
  ])('has no NUL in it: %s', (_name, value, field) => {
    expect(() => parseInput(anything, value, 'en')).toThrow(`text_has_control_characters ${field}: `)
  })

  it('of a name has nothing in it that cannot be seen, but spaces around it', () => {
    expect(parseInput(tokenCreateSchema, { name: ' cli\n' }, 'en').name).toBe(' cli\n')
    expect(() => parseInput(tokenCreateSchema, { name: 'cl\u0007i' }, 'en')).toThrow(
      'text_has_control_characters name: ',
    )
  })

  it.each(['0', '-1', '1e3', ' 1', 'new', '99999999999999999'])('%j is nobody’s id', (id) => {
    expect(() => parseInput(idParams, { id }, 'en')).toThrow('id_invalid id: not an id')
  })

  it('reads an id of an address', () => expect(parseInput(idParams, { id: '17' }, 'en')).toEqual({ id: 17 }))

  it.each([
    [channelRoutes.removeBatch.body, 'Choose at least one channel', '请至少选择一个渠道'],
    [tokenRoutes.removeMany.body, 'Choose at least one token', '请至少选择一个令牌'],
    [redemptionRoutes.disableMany.body, 'Choose at least one code', 'ID列表不能为空'],
  ])('says that nothing is selected', (schema, en, zh) => {
    for (const body of [{}, { ids: [] }, { ids: null }]) {
      expect(refusal(schema, body).textIn('en')).toBe(en)
      expect(refusal(schema, body).textIn('zh')).toBe(zh)
    }
    expect(refusal(schema, { ids: ['1'] }).textIn('en')).toContain('ids.0: ')
  })

  it('that does not fit is told in the caller’s language, three faults at most', () => {
    const schema = z.object({ a: z.int(), b: z.int(), c: z.int(), d: z.int() })
    expect(() => parseInput(schema, { a: 'x' }, 'en')).toThrow(/input_invalid .*a: .*; b: .*; c: [^;]*$/)
  })
})

function refusal(schema: z.ZodType, value: unknown): Problem {
  try {
    parseInput(schema, value, 'zh')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was taken')
}
