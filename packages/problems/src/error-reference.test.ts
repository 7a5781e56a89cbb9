import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorReference } from './error-reference.ts'

const PAGE = new URL('../../../docs/reference/errors.md', import.meta.url)

it('docs/reference/errors.md is up to date; `UPDATE_DOCS=1` rewrites the page', () => {
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, errorReference())
  expect(readFileSync(PAGE, 'utf8')).toBe(errorReference())
})
