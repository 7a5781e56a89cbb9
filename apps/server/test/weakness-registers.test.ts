import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The faults of the reference system are numbered: in `spec/api-identity.md`, section 19, and `spec/api-operations.md`,
 * section 12. Each number stands in the name of a test that shows it done right, beside the part it is about. Those of
 * `spec/relay.md` are named by their section, and by a letter where a section has several: `relay 9b` is the second of 9.
 * So are those that other documents tell of logs, prices, the dashboard, chat links, drawings and songs: `identity 11.2`
 * (`spec/api-identity.md`), `operations 9.4b` (`spec/api-operations.md`) and `billing 9a` (`spec/billing.md`).
 */
const REGISTERS = [
  { section: 12, rows: 30 },
  { section: 19, rows: 34 },
]
/** How many each section of `spec/relay.md` tells of. */
const RELAY: Readonly<Record<string, number>> = {
  '1.1': 1,
  '1.6': 1,
  '1.7': 1,
  '1.8': 1,
  '2': 2,
  '3': 1,
  '4': 3,
  '5': 1,
  '6': 4,
  '7': 3,
  '8': 1,
  '9': 4,
  '9.1': 1,
  '10': 3,
  '11': 1,
  '12': 1,
  '13': 1,
  '14': 5,
  '15': 3,
  '16': 1,
}
/** How many each section of the other documents tells of logs, prices, usage, chat links and tasks. */
const REPORTS: Readonly<Record<string, number>> = {
  'identity 9.4': 1,
  'identity 11.2': 1,
  'identity 11.3': 1,
  'identity 11.4': 1,
  'identity 11.5': 1,
  'identity 11.6': 1,
  'identity 11.8': 1,
  'identity 12': 1,
  'identity 12.2': 1,
  'operations 6.1': 1,
  'operations 6.2': 2,
  'operations 6.3': 1,
  'operations 8.6': 1,
  'operations 8.9': 1,
  'operations 9.4': 5,
  'operations 9.5': 1,
  'billing 9': 4,
  'billing 11': 1,
  'billing 12': 1,
}
const FOLDERS = ['apps/server/test', 'apps/server/src', 'apps/console/src', 'packages', 'e2e']
const ROOT = join(import.meta.dirname, '../../..')

test.each(REGISTERS)('every number of section $section stands in the name of a test', ({ section, rows }) => {
  const name = new RegExp(`['"\`(](?:WEAKNESS )?${section}\\.(\\d+)`, 'g')
  const numbers = new Set([...found(name)].map(Number))
  const missing = Array.from({ length: rows }, (_, index) => index + 1).filter((row) => !numbers.has(row))
  expect(missing).toEqual([])
})

test('every weakness of the relay stands in the name of a test, and no other', () => {
  const named = found(/['"`](?:12\.\d+ )?relay ([\d.]+[a-z]?): /g)
  expect([...named].toSorted()).toEqual(lettered(RELAY).toSorted())
})

test('every weakness of logs, prices, chat links and tasks stands in the name of a test', () => {
  const named = found(/(?<=['"`][^'"`\n]*)\b((?:identity|operations|billing) \d[\d.]*[a-z]?): /g)
  expect(lettered(REPORTS).filter((label) => !named.has(label))).toEqual([])
})

/** The sections, and where one tells of several, each by its letter. */
function lettered(sections: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(sections).flatMap(([section, rows]) =>
    rows === 1 ? [section] : Array.from({ length: rows }, (_, index) => section + 'abcdefgh'.charAt(index)),
  )
}

/** What the first group of a pattern is, wherever it fits in a test. */
function found(pattern: RegExp): ReadonlySet<string> {
  const matches = testFiles().flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)])
  return new Set(matches.map(([, group]) => group ?? ''))
}

function testFiles(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
      .map((path) => join(ROOT, folder, path)),
  )
}
