import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { providers } from '../index.ts'
import { providerReference } from './reference.ts'

const PAGE = new URL('../../../../docs/reference/providers.md', import.meta.url)

it('is what docs/reference/providers.md says; `UPDATE_DOCS=1` writes the page', () => {
  const page = providerReference(providers)
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})

it('takes one file of under 30 lines to add a provider that speaks OpenAI without an accent', () => {
  for (const id of ['ai360', 'fastgpt', 'jina', 'newapi', 'sub2api', 'submodel', 'xinference', 'yi']) {
    const file = readFileSync(new URL(`../${id}.ts`, import.meta.url), 'utf8')
    expect(file.trimEnd().split('\n').length).toBeLessThan(30)
  }
})
