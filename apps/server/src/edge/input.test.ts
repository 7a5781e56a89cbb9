import { channelRoutes } from '@tollgate/contract/channel'
import { type Language, Problem } from '@tollgate/problems/problem'
import { redemptionRoutes } from '@tollgate/contract/redemption'
import { idParams } from '@tollgate/contract/query'
import { tokenCreateSchema, tokenRoutes } from '@tollgate/contract/token'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseInput } from './input.ts'

const filled = z.strictObject({
  name: z.string().min(1).max(3).optional(),
  quota: z.number().positive().max(9).optional(),
  count: z.int().min(0).optional(),
  names: z.array(z.string()).min(2).max(3).optional(),
  role: z.enum(['user', 'admin']).optional(),
  type: z.literal(1).optional(),
  email: z.email().optional(),
  key: z.union([z.string(), z.array(z.string())]).optional(),
  code: z
    .string()
    .refine((text) => text === 'x')
    .optional(),
  inner: z.strictObject({ id: z.string() }).optional(),
})

const faults: [unknown, string, string][] = [
  [{ name: 1 }, 'name must be text', 'name 应为文本'],
  [{ name: '' }, 'name must not be empty', 'name 不能为空'],
  [{ name: 'abcd' }, 'name may have at most 3 characters', 'name 最多 3 个字符'],
  [{ quota: 0 }, 'quota must be greater than 0', 'quota 应大于 0'],
  [{ quota: 10 }, 'quota may be at most 9', 'quota 不能大于 9'],
  [{ quota: 'x' }, 'quota must be a number', 'quota 应为数字'],
  [{ count: 1.5 }, 'count must be a whole number', 'count 应为整数'],
  [{ count: -1 }, 'count must be at least 0', 'count 不能小于 0'],
  [{ names: 'x' }, 'names must be a list', 'names 应为列表'],
  [{ names: ['x'] }, 'names must have at least 2 entries', 'names 至少需要 2 项'],
  [{ names: ['x', 'y', 3] }, 'names.2 must be text', 'names.2 应为文本'],
  [{ role: 'root' }, 'role must be one of user, admin', 'role 应为以下之一：user、admin'],
  [{ type: 2 }, 'type must be 1', 'type 应为 1'],
  [{ email: 'x' }, 'email is not an e-mail address', 'email 不是有效的邮箱地址'],
  [{ key: 1 }, 'key must be text or a list', 'key 应为文本或列表'],
  [{ code: 'y' }, 'code has a value that is not allowed', 'code 的值不符合要求'],
  [{ inner: {} }, 'inner.id is required', 'inner.id 为必填项'],
  [{ inner: { id: '', a: 1 } }, 'inner has unknown fields: a', 'inner 包含未知字段：a'],
  [{ a: 1, b: 2 }, 'the request has unknown fields: a, b', '请求包含未知字段：a、b'],
  ['x', 'the request must be an object', '请求应为对象'],
]

const anything = z.object({}).loose()

describe('parseInput', () => {
  it.each([
    ['a text', { note: 'a\0b' }, 'note'],
    ['a text within', { rows: [{ name: '\0' }] }, 'rows.0.name'],
    ['a name of a member', { 'a\0': 1 }, ''],
  ])('rejects a NUL character: %s', (_name, value, field) => {
    expect(() => parseInput(anything, value, 'en')).toThrow(`text_has_control_characters ${field}: `)
  })

  it('rejects control characters in a name, and keeps the whitespace around it', () => {
    expect(parseInput(tokenCreateSchema, { name: ' cli\n' }, 'en').name).toBe(' cli\n')
    expect(() => parseInput(tokenCreateSchema, { name: 'cl\u0007i' }, 'en')).toThrow(
      'text_has_control_characters name: ',
    )
  })

  it.each(['0', '-1', '1e3', ' 1', 'new', '99999999999999999'])('rejects %j as an id', (id) => {
    expect(() => parseInput(idParams, { id }, 'en')).toThrow('id_invalid id: not an id')
  })

  it('reads an id from a path', () => expect(parseInput(idParams, { id: '17' }, 'en')).toEqual({ id: 17 }))

  it.each([
    [channelRoutes.removeBatch.body, 'Choose at least one channel', '请至少选择一个渠道'],
    [tokenRoutes.removeMany.body, 'Choose at least one token', '请至少选择一个令牌'],
    [redemptionRoutes.disableMany.body, 'Choose at least one code', 'ID列表不能为空'],
  ])('reports an empty selection', (schema, en, zh) => {
    for (const body of [{}, { ids: [] }, { ids: null }]) {
      expect(refusal(schema, body).textIn('en')).toBe(en)
      expect(refusal(schema, body).textIn('zh')).toBe(zh)
    }
    expect(refusal(schema, { ids: ['1'] }).textIn('en')).toContain('ids.0 must be a number')
  })

  it('reports at most three faults', () => {
    const schema = z.object({ a: z.int(), b: z.int(), c: z.int(), d: z.int() })
    expect(() => parseInput(schema, { a: 'x' }, 'en')).toThrow(
      /input_invalid .*a must be a number; b is required; c is required$/,
    )
  })

  it.each(faults)(
    'describes the fault in a plain sentence, in the caller’s language: %j',
    (value, en, zh) => {
      expect(refusal(filled, value).textIn('en')).toBe(`Invalid input: ${en}`)
      expect(refusal(filled, value, 'zh').textIn('zh')).toBe(`无效的参数：${zh}`)
    },
  )
})

function refusal(schema: z.ZodType, value: unknown, language: Language = 'en'): Problem {
  try {
    parseInput(schema, value, language)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was taken')
}
