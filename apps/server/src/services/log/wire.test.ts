import { describe, expect, it } from 'vitest'
import { withoutAdminInfo } from './wire.ts'

describe('`other` as a user sees it', () => {
  it('excludes admin_info and keeps the rest', () => {
    expect(withoutAdminInfo('{"model_ratio":1.25,"admin_info":{"use_channel":["3"]}}')).toBe(
      '{"model_ratio":1.25}',
    )
  })

  it.each(['', '{}', '{"admin_info":{}}', 'null', '[]', 'not json'])(
    'is empty, and never the word null, for %j',
    (other) => {
      expect(withoutAdminInfo(other)).toBe('')
    },
  )
})
