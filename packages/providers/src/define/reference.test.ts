import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { providers } from '../index.ts'
import { withProviderTables } from './reference.ts'

const PAGE = new URL('../../../../docs/reference/providers.md', import.meta.url)

it('the tables of docs/reference/providers.md match the registry (`UPDATE_DOCS=1` rewrites them)', () => {
  const page = readFileSync(PAGE, 'utf8')
  const written = withProviderTables(page, providers)
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, written)
  expect(page.match(/^\| type \| provider \|/gm)).toHaveLength(3)
  expect(readFileSync(PAGE, 'utf8')).toBe(written)
})

it('a provider that is fully OpenAI-compatible takes one file of under 30 lines', () => {
  for (const id of ['ai360', 'fastgpt', 'jina', 'newapi', 'sub2api', 'submodel', 'xinference', 'yi']) {
    const file = readFileSync(new URL(`../${id}.ts`, import.meta.url), 'utf8')
    expect(file.trimEnd().split('\n').length).toBeLessThan(30)
  }
})

it('a new provider takes that file and one line of the registry only, and the guide shows both', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const guide = readFileSync(`${root}docs/guides/add-a-provider.md`, 'utf8')
  const file = readFileSync(new URL('../submodel.ts', import.meta.url), 'utf8')
  expect(guide).toContain(`\`\`\`ts\n${file}\`\`\``)
  const registry = readFileSync(new URL('../registry.ts', import.meta.url), 'utf8').split('\n')
  const line = "export { submodel } from './submodel.ts'"
  expect(guide).toContain(line)
  expect(registry.filter((each) => each.includes('submodel'))).toEqual([line])
  const naming = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !path.includes('.test.'))
    .filter((path) => /submodel/i.test(readFileSync(`${root}${path}`, 'utf8')))
  expect(naming.toSorted()).toEqual([
    'packages/providers/src/registry.ts',
    'packages/providers/src/submodel.ts',
  ])
})
