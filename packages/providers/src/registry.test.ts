import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { providerById, providerByType, providers } from './index.ts'
import * as resellers from './resellers.ts'

const SOURCES = fileURLToPath(new URL('.', import.meta.url))
/** Source files that do not define a provider. */
const FRAME = new Set([
  'address-help.ts',
  'channel-settings.ts',
  'claude-options.ts',
  'convert.ts',
  'dropped.ts',
  'gemini-options.ts',
  'header-names.ts',
  'index.ts',
  'prepare/index.ts',
  'provider.ts',
  'registry.ts',
  'resellers.ts',
  'tasks/index.ts',
])

const files = readdirSync(SOURCES, { withFileTypes: true })
  .map((entry) => (entry.isDirectory() ? `${entry.name}/index.ts` : entry.name))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !FRAME.has(path))
  .filter((path) => existsSync(`${SOURCES}${path}`))
  .map((path) => path.replace(/(\/index)?\.ts$/, ''))

it('the registry has one line for every provider file and every reseller, and no others', () => {
  const ids = [...files, ...Object.keys(resellers)]
  expect(providers.map((provider) => provider.id).sort()).toEqual(ids.sort())
  expect(files.length).toBeGreaterThan(25)
})

it('the registry is in alphabetical order', () => {
  const lines = readFileSync(`${SOURCES}registry.ts`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('export'))
  const paths = lines.map((line) => /'(.*)\.ts'/.exec(line)?.[1] ?? '')
  expect(paths).toEqual(paths.toSorted())
})

it('every provider has its own id and type', () => {
  expect(new Set(providers.map((provider) => provider.id)).size).toBe(providers.length)
  expect(new Set(providers.map((provider) => provider.type)).size).toBe(providers.length)
})

it('providers are found by type and by id', () => {
  for (const provider of providers) {
    expect(providerByType(provider.type)).toBe(provider)
    expect(providerById(provider.id)).toBe(provider)
  }
  expect(providerByType(28)).toBeUndefined()
  expect(providerById('constructor')).toBeUndefined()
})

it('the registry covers all channel types', () => {
  const wanted = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 31, 33,
    34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
    60,
  ]
  expect(providers.map((provider) => provider.type).toSorted((a, b) => a - b)).toEqual(wanted)
})
