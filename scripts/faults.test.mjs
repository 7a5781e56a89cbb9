import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listOtherFaultTests, REPEATING_TESTS } from './fault-files.mjs'
import { formatBegin } from './fault-progress.mjs'
import { root } from './install.mjs'

it('the files of the long fault tests exist', () => {
  expect(REPEATING_TESTS.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const others = listOtherFaultTests()
  expect(others).toContain('packages/ledger/test/races.test.ts')
  expect(others).toContain('apps/server/test/commands/move.test.ts')
  expect(others.filter((path) => REPEATING_TESTS.includes(path))).toEqual([])
})

it('a long fault test says when it begins, with its file, suites, name and limit', () => {
  const file = { name: 'packages/ledger/test/kill.test.ts' }
  const suite = { name: 'on PostgreSQL', suite: { name: 'kills', suite: undefined } }
  const task = { name: 'a call is charged once', timeout: 45 * 60_000, file, suite }
  expect(formatBegin(task, new Date('2026-01-02T03:04:05Z'))).toBe(
    '03:04:05 begins packages/ledger/test/kill.test.ts > kills > on PostgreSQL > a call is charged once (limit 45 min)',
  )
})
