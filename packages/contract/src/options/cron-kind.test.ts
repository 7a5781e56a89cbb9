import { expect, it } from 'vitest'
import { cronPattern } from './cron-kind.ts'

const pattern = cronPattern({ label: { en: 'Times', zh: '时间' }, help: { en: 'When.', zh: '何时。' } })

it.each(['', '30 3 * * *', '0 */6 * * *', '0,30 8-18 1 1-12/3 0-7', '  5   4 * *  7 '])(
  'accepts %j',
  (text) => {
    expect(pattern.schema.parse(text)).toBe(text.trim().split(/\s+/).join(' '))
  },
)

it.each(['60 3 * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8', '5-3 * * * *'])(
  'rejects %j, a time that never comes',
  (text) => expect(pattern.schema.safeParse(text).success).toBe(false),
)

it.each(['* * * *', '* * * * * *', '@daily', '*/0 * * * *', 'a * * * *', '1,,2 * * * *', '*'.repeat(200)])(
  'rejects %j, which is no pattern of five fields',
  (text) => expect(pattern.schema.safeParse(text).success).toBe(false),
)
