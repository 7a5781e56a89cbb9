import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The faults of the reference system are numbered: in `spec/api-identity.md`, section 19, and `spec/api-operations.md`,
 * section 12. Each number stands in the name of a test that shows it done right, beside the part it is about.
 */
const REGISTERS = [
  { section: 12, rows: 30 },
  { section: 19, rows: 34 },
]
const FOLDERS = ['apps/server/test', 'apps/server/src', 'apps/console/src', 'packages', 'e2e']
const ROOT = join(import.meta.dirname, '../../..')

test.each(REGISTERS)('every number of section $section stands in the name of a test', ({ section, rows }) => {
  const name = new RegExp(`['"\`(](?:WEAKNESS )?${section}\\.(\\d+)`, 'g')
  const named = testFiles().flatMap((file) => [...readFileSync(file, 'utf8').matchAll(name)])
  const numbers = new Set(named.map(([, number]) => Number(number)))
  const missing = Array.from({ length: rows }, (_, index) => index + 1).filter((row) => !numbers.has(row))
  expect(missing).toEqual([])
})

function testFiles(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
      .map((path) => join(ROOT, folder, path)),
  )
}
