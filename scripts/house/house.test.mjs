import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findFigureFaults } from './check.mjs'
import { measure } from './measure.mjs'
import { expectFigures } from './state-before.mjs'
import {
  compareFigures,
  foldReasons,
  readWrittenFigures,
  writeBetter,
  writeWithReason,
} from './written-figures.mjs'

/** A small repository that has something of every kind. */
const BASE = {
  'packages/kit/src/json.ts': 'export function parseJson() {}\n',
  'packages/kit/src/list.ts': `import './json.ts'\n${'\n'.repeat(40)}`,
  'apps/server/src/relay/stations/admit/admit.ts':
    "import '../hold/hold.ts'\nimport type { Call } from '../../call.ts'\n",
  'apps/server/src/relay/stations/hold/hold.ts': '',
  'apps/server/src/relay/sessions/sessions.ts': '',
  'apps/server/src/relay/call.ts': '',
  'packages/dialects/src/json.ts': '',
  'packages/dialects/src/canonical/codec.ts': "import '../json.ts'\n",
  'packages/ledger/src/account.ts': '',
  'packages/ledger/src/local/rounds.ts': "import '../account.ts'\n",
  'packages/store/src/a.ts': 'export const repeatedName = 1\n',
  'packages/billing/src/b.ts': 'export const repeatedName = 1\n',
  'docs/reference/errors.md': '# Errors\n',
}

const measureFiles = (files) => {
  const texts = Object.entries(files).map(([path, text]) => ({ path, text }))
  return measure({
    sources: texts.filter(({ path }) => !path.startsWith('docs/')),
    references: texts.filter(({ path }) => path.startsWith('docs/')),
  }).figures
}
const base = measureFiles(BASE)
const valuesOf = (figures) => new Map([...figures].map(([key, { value }]) => [key, value]))

/**
 * The figure that a change makes worse, and the change: the new text of a file, and of others.
 * @type {[string, string, string, Record<string, string>?][]}
 */
const WORSE = [
  ['packages/kit source-lines', 'packages/kit/src/json.ts', 'export function parseJson() {\n\n}\n'],
  ['packages/kit files', 'packages/kit/src/more.ts', ''],
  [
    'packages/kit exported-names',
    'packages/kit/src/json.ts',
    'export function parseJson() {} export const a = 1\n',
  ],
  ['packages/kit exported-functions-xOf', 'packages/kit/src/json.ts', 'export const textOf = () => 1\n'],
  ['packages/kit participle-types', 'packages/kit/src/json.ts', 'export type Held = 1\n'],
  ['packages/kit participle-types', 'packages/kit/src/json.ts', 'interface Asking {}\nexport { Asking }\n'],
  [
    'packages/kit participle-types',
    'packages/kit/src/json.ts',
    'class Refused {} export const a = Refused\n',
  ],
  [
    'packages/kit small-files-with-one-importer',
    'packages/store/src/a.ts',
    "import '@tollgate/kit/list'\nimport '@tollgate/kit/list'\nexport const repeatedName = 1\n",
    { 'packages/kit/src/list.ts': "import './json.ts'\n" },
  ],
  [
    'all exported-names-in-three-files',
    'packages/kit/src/json.ts',
    'const repeatedName = 1\nexport { repeatedName }\n',
  ],
  [
    'apps/server/src/relay mutual-folder-pairs',
    'apps/server/src/relay/stations/hold/hold.ts',
    "import type { Admit } from '../admit/admit.ts'\n",
  ],
  [
    'apps/server/src/relay mutual-folder-pairs',
    'apps/server/src/relay/call.ts',
    "export * from './stations/admit/admit.ts'\n",
  ],
  ['apps/server/src/relay arrows-up', 'apps/server/src/relay/call.ts', "import './sessions/sessions.ts'\n"],
  ['packages/dialects/src arrows-up', 'packages/dialects/src/json.ts', "import './canonical/codec.ts'\n"],
  ['packages/ledger/src arrows-up', 'packages/ledger/src/account.ts', "import './local/rounds.ts'\n"],
  ['docs/reference lines', 'docs/reference/short.md', 'x\n'],
  ['docs/reference longest-document-lines', 'docs/reference/errors.md', '# Errors\n\nx\n'],
]

const countRowLines = (text) =>
  measureFiles({ 'packages/catalogue/src/a.ts': text }).get('packages/catalogue source-lines')?.value

let folder
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-house-'))
})
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  writeWithReason(folder, base, 'start')
  foldReasons(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the figures', () => {
  it('have every kind in the checked-in file', () => {
    const kinds = new Set([...readWrittenFigures(import.meta.dirname).keys()].map((key) => key.split(' ')[1]))
    expect(new Set(WORSE.map(([key]) => key.split(' ')[1]))).toEqual(kinds)
  })

  it.each(WORSE)('fail when %s rises by a change of %s', (key, path, text, others) => {
    const changed = measureFiles({ ...BASE, ...others, [path]: text })
    const faults = findFigureFaults(changed, readWrittenFigures(folder))
    const value = base.get(key)?.value ?? 0
    expect(faults.find((fault) => fault.includes(key))).toContain(`worse: ${key} ${value} -> `)
    expect(faults.at(-1)).toContain('npm run house -- write --why')
    expect(findFigureFaults(base, readWrittenFigures(folder))).toEqual([])
  })

  it.each(WORSE)('ask to write it down when %s falls by a change of %s', (key, path, text, others) => {
    const before = measureFiles({ ...BASE, ...others, [path]: text })
    writeWithReason(folder, before, 'worse')
    const faults = findFigureFaults(base, readWrittenFigures(folder))
    expect(faults.some((fault) => fault.startsWith(`better: ${key} `))).toBe(true)
    writeBetter(folder, base)
    const written = readWrittenFigures(folder)
    expect(written.get(key)).toBe(base.get(key)?.value ?? 0)
  })

  it('leave rows of the catalogue out of the lines', () => {
    expect(countRowLines('export const memberRows = [\n]\n')).toBe(0)
    expect(countRowLines('export function readRow() {\n}\n')).toBe(2)
  })

  it('name what is new', () => {
    const before = measureFiles({ ...BASE, 'packages/kit/src/x.ts': 'type Made = 1\n' })
    const changed = measureFiles({ ...BASE, 'packages/kit/src/x.ts': 'type Held = 1\ntype Made = 1\n' })
    const faults = findFigureFaults(changed, valuesOf(before), before)
    expect(faults[0]).toBe(
      'worse: packages/kit participle-types 1 -> 2 (+1)\n    Held packages/kit/src/x.ts:1',
    )
  })
})

describe('a reason', () => {
  const worse = measureFiles({ ...BASE, 'packages/kit/src/x.ts': 'export type Held = 1\n' })

  it('lets worse figures pass and says what it paid for', () => {
    writeWithReason(folder, worse, 'kit: hold calls')
    expect(findFigureFaults(worse, readWrittenFigures(folder))).toEqual([])
    expect(readFileSync(join(folder, 'reasons/kit-hold-calls.txt'), 'utf8')).toBe(
      'kit: hold calls\npackages/kit exported-names +1\npackages/kit files +1\npackages/kit participle-types +1\npackages/kit source-lines +1\n',
    )
  })

  it('covers the difference that it states and no more', () => {
    writeWithReason(folder, worse, 'kit: hold calls')
    const more = measureFiles({
      ...BASE,
      'packages/kit/src/x.ts': 'export type Held = 1\nexport type Made = 1\n',
    })
    expect(findFigureFaults(more, readWrittenFigures(folder))).toHaveLength(4)
    writeWithReason(folder, more, 'kit: hold calls')
    expect(findFigureFaults(more, readWrittenFigures(folder))).toEqual([])
    expect(readdirSync(join(folder, 'reasons'))).toEqual(['kit-hold-calls.txt'])
  })

  it('is gone when it pays for nothing any more', () => {
    writeWithReason(folder, worse, 'kit: hold calls')
    writeWithReason(folder, base, 'kit: hold calls')
    expect(readdirSync(join(folder, 'reasons'))).toEqual([])
    expect(findFigureFaults(base, readWrittenFigures(folder))).toEqual([])
  })

  it('is not asked for what the base of the change left out', () => {
    const expected = expectFigures(readWrittenFigures(folder), readWrittenFigures(folder), worse)
    expect(findFigureFaults(worse, expected)).toEqual([])
    const own = measureFiles({ ...BASE, 'packages/kit/src/x.ts': 'export type Held = 1\n\n' })
    expect(findFigureFaults(own, expected)[0]).toBe('worse: packages/kit source-lines 43 -> 44 (+1)')
    writeWithReason(folder, own, 'kit: an empty line', expected)
    expect(readFileSync(join(folder, 'reasons/kit-an-empty-line.txt'), 'utf8')).toBe(
      'kit: an empty line\npackages/kit source-lines +1\n',
    )
    writeWithReason(folder, own, 'kit: the rest')
    expect(findFigureFaults(own, readWrittenFigures(folder))).toEqual([])
  })

  it('adds up with the reason of another branch', () => {
    writeWithReason(folder, worse, 'kit: hold calls')
    const other = measureFiles({ ...BASE, 'packages/store/src/y.ts': '\n\n' })
    const own = mkdtempSync(join(tmpdir(), 'tollgate-house-'))
    writeWithReason(own, base, 'start')
    foldReasons(own)
    writeWithReason(own, other, 'store: rows')
    const together = measureFiles({
      ...BASE,
      'packages/kit/src/x.ts': 'export type Held = 1\n',
      'packages/store/src/y.ts': '\n\n',
    })
    const merged = readWrittenFigures(own)
    for (const { key, measured } of compareFigures(worse, valuesOf(base)))
      merged.set(key, (merged.get(key) ?? 0) + measured - (base.get(key)?.value ?? 0))
    rmSync(own, { recursive: true })
    expect(findFigureFaults(together, merged)).toEqual([])
  })

  it('is added up and removed at a release', () => {
    writeWithReason(folder, worse, 'kit: hold calls')
    foldReasons(folder)
    expect(readdirSync(join(folder, 'reasons'))).toEqual([])
    expect(findFigureFaults(worse, readWrittenFigures(folder))).toEqual([])
  })
})
