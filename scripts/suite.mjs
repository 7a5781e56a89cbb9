// Runs the test runner once, reads the results per file from its report, and runs failed files a second time.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { root } from './install.mjs'
import { runStep, tool } from './steps.mjs'

/** Of this run alone, because two runs may go on side by side. */
const REPORT = join(root, 'node_modules', `.tollgate-tests-${process.pid}.json`)

/** More failed files than this are not caused by a busy machine. */
const RED_AGAIN_MAX = 3

/**
 * A failed unit test stays failed, because it only computes. Journeys, browser walks and console tests wait
 * for processes, servers and a page, so they get a second run.
 */
const isWaiting = (file) => /^(?:e2e|apps\/console\/src|(?:apps|packages)\/[^/]+\/test)\//.test(file)

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

export class Suite {
  /** @type {Map<string, Tally>} */
  #files = new Map()
  /** Failures that belong to no test file: the runner crashed, or an error was thrown outside the tests. */
  #strayFailures = 0
  #parts

  /** @param {{ projects: string[], options: string[], env: Record<string, string> }} parts */
  constructor(parts) {
    this.#parts = parts
  }

  get tally() {
    const sum = { passed: 0, failed: this.#strayFailures, skipped: 0 }
    for (const file of this.#files.values()) for (const name of Object.keys(sum)) sum[name] += file[name]
    return sum
  }

  async run(files = []) {
    rmSync(REPORT, { force: true })
    const { projects, options, env } = this.#parts
    const { isGreen } = await runStep({
      name: 'tests',
      args: tool(
        'vitest/vitest.mjs',
        'run',
        ...files,
        ...projects.flatMap((name) => ['--project', name]),
        ...(files.length > 0 ? options.filter((option) => option.startsWith('-')) : options),
      ),
      env: { ...env, TOLLGATE_TEST_REPORT: REPORT },
    })
    const results = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, 'utf8')).testResults : []
    rmSync(REPORT, { force: true })
    for (const { name, status, assertionResults } of results)
      this.#files.set(relative(root, name), tallyOf(status, assertionResults))
    if (!isGreen && (results.length === 0 || this.#red().length === 0)) this.#strayFailures += 1
  }

  /** Runs each failed file that depends on timing once more, alone. Returns the files that passed then. */
  async retryFailed() {
    const red = this.#red()
    if (red.length === 0 || red.length > RED_AGAIN_MAX || !red.every(isWaiting)) return []
    process.stdout.write(`\nRed, and run once more: ${red.join(', ')}\n`)
    await this.run(red)
    const still = new Set(this.#red())
    return red.filter((file) => !still.has(file))
  }

  #red() {
    return [...this.#files].filter(([, { failed }]) => failed > 0).map(([file]) => file)
  }
}

/** @returns {Tally} A file that could not be loaded as tests counts as one failure. */
function tallyOf(status, assertions) {
  const count = (...states) => assertions.filter((test) => states.includes(test.status)).length
  const failed = count('failed')
  return {
    passed: count('passed'),
    failed: failed === 0 && status === 'failed' ? 1 : failed,
    skipped: count('pending', 'todo', 'skipped'),
  }
}
