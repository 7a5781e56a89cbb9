import { describe, expect, it } from 'vitest'
import { withoutAdminInfo } from './wire.ts'

describe('what a user sees of `other`', () => {
  it('loses admin_info and keeps the rest', () => {
    expect(withoutAdminInfo('{"model_ratio":1.25,"admin_info":{"use_channel":["3"]}}')).toBe(
      '{"model_ratio":1.25}',
    )
  })

  it.each(['', '{}', '{"admin_info":{}}', 'null', '[]', 'not json'])(
    'identity 11.2: never the word null, %j is shown as nothing',
    (other) => {
      expect(withoutAdminInfo(other)).toBe('')
    },
  )
})
