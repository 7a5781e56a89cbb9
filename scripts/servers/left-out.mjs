// Reports the servers that a run leaves out, with the number of tests that it misses.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { runStep, tool } from '../steps.mjs'
import { SERVERS } from './list.mjs'

/**
 * @typedef {import('./index.mjs').ServerSupport} ServerSupport
 * @typedef {import('./index.mjs').ServerName} ServerName
 */

const isRequired = () => Boolean(process.env['TOLLGATE_REQUIRE_SERVERS'])

/**
 * The failures that a run counts for its servers: each one left out where all are required.
 * @param {ServerSupport} support
 */
export function countMissingServers({ leftOut }) {
  return isRequired() ? leftOut.length : 0
}

/**
 * Prints one line for each server that is left out.
 * @param {ServerSupport} support
 * @param {{ args: string[], env?: Record<string, string> }} [run] arguments of Vitest, to count the missing tests
 */
export async function printLeftOut(support, run) {
  const counts = run && (await countMissingTests(support, run))
  for (const { name, reason } of support.leftOut)
    process.stdout.write(
      `\n${describeLeftOut({ label: SERVERS[name].label, reason, count: counts?.get(name) })}\n`,
    )
}

/** @param {{ label: string, reason: string, count: number | undefined }} server */
export function describeLeftOut({ label, reason, count }) {
  const number = count === undefined ? '' : ` (${count === 1 ? '1 test' : `${count} tests`})`
  const verdict = isRequired() ? '; TOLLGATE_REQUIRE_SERVERS makes this a failure' : ''
  return `LEFT OUT: ${label}${number}: ${reason}${verdict}`
}

/**
 * The tests that each server adds, in the order of the list: those that need two servers count for the second one.
 * @returns {Promise<Map<ServerName, number>>}
 */
export async function countMissingTests({ leftOut, env }, run) {
  const counts = new Map()
  const counted = []
  let before = leftOut.length > 0 ? await listTests(run, env, counted) : 0
  for (const { name } of leftOut) {
    counted.push(name)
    const now = await listTests(run, env, counted)
    if (now !== undefined && before !== undefined) counts.set(name, now - before)
    before = now
  }
  return counts
}

/** The number of tests that would run if the servers with these names answered. */
async function listTests({ args, env: own }, env, names) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'))
  const path = join(folder, 'tests.json')
  try {
    await runStep(
      {
        name: 'count',
        args: tool('vitest/vitest.mjs', 'list', ...args, '--passWithNoTests', `--json=${path}`),
        env: { ...env, ...own, TOLLGATE_SERVERS_COUNTED: names.join(' ') },
      },
      { isQuiet: true },
    )
    // Without the file, a test file could not be loaded, which the run itself has reported.
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).length : undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}
