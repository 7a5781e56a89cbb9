import { expect, test } from 'vitest'
import { isNewer } from './check-update.ts'

test.each([
  ['v0.1.1', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['v1.0.0', '0.9.9', true],
  ['v0.1.0', '0.1.0', false],
  ['v0.0.9', '0.1.0', false],
  ['v0.9.9', '1.0.0', false],
  ['nightly', '0.1.0', false],
])('%s compared with %s: newer is %s', (tag, version, expected) => {
  expect(isNewer(tag, version)).toBe(expected)
})
