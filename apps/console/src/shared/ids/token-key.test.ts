import { expect, it } from 'vitest'
import { maskedKey } from './token-key.ts'

const key = `abc${'0'.repeat(42)}xyZ`

it.each([key, `sk-${key}`, `sk-${key}-12`])('the full key %s is replaced by its preview', (text) => {
  expect(maskedKey(text)).toBe('sk-abc***xyZ')
})

it.each(['', 'sk-', 'laptop', 'sk-abc***xyZ', key.slice(1), `${key}0`])('%s is not changed', (text) => {
  expect(maskedKey(text)).toBe(text)
})
