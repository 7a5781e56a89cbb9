// A setup file of the long fault tests: says which test begins, because one can take minutes without a word.
import { writeSync } from 'node:fs'
import process from 'node:process'
import { beforeEach } from 'vitest'

const NAME_SEPARATOR = ' > '

/**
 * @param {{ name: string, timeout?: number, file: { name: string }, suite?: object }} task
 * @returns {string} for example `12:04:05 begins a.test.ts > kills > a call is charged once (limit 10 min)`
 */
export function formatBegin(task, now = new Date()) {
  const names = [task.name]
  for (let suite = task.suite; suite?.name; suite = suite.suite) names.unshift(suite.name)
  const minutes = Math.round((task.timeout ?? 0) / 6_000) / 10
  const name = [task.file.name, ...names].join(NAME_SEPARATOR)
  return `${now.toISOString().slice(11, 19)} begins ${name} (limit ${minutes} min)`
}

// Written at once, without Vitest's buffer: a test that only computes lets nothing else be printed until it ends.
if (process.env['TOLLGATE_FAULTS'] === 'long')
  beforeEach(({ task }) => void writeSync(process.stderr.fd, `${formatBegin(task)}\n`))
