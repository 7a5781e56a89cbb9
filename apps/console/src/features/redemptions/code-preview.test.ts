import { expect, it } from 'vitest'
import { codePreview } from './code-preview.ts'

it.each([
  ['0f3a5b6c7d8e9f000f3a5b6c7d8e9c1d', '0f3a…9c1d'],
  ['WELCOME-2030', 'WELC…'],
])('the code %s is shown as %s', (key, preview) => {
  expect(codePreview(key)).toBe(preview)
})
