// `npm test`: the whole suite on a fresh clone. The last line reads `N passed, N failed`.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ensureBrowser } from './browser.mjs'
import { staticChecks } from './checks.mjs'
import { ensureConsoleBuilt } from './console-build.mjs'
import { compileCache, ensureInstalled, root } from './install.mjs'
import { runStep, tool } from './steps.mjs'

const REPORT = join(root, 'node_modules', '.tollgate-tests.json')

ensureInstalled('full')
ensureConsoleBuilt()

const leftOut = []
const browser = ensureBrowser()
if (!browser) leftOut.push('browser walks: no Chromium here (Debian: apt-get install chromium)')

const tally = { passed: 0, failed: 0, skipped: 0 }
for (const check of staticChecks) {
  const result = await runStep(check, { isQuiet: true })
  process.stdout.write(`${result.isGreen ? 'ok  ' : 'FAIL'} ${check.name} (${result.seconds.toFixed(1)} s)\n`)
  if (!result.isGreen) process.stdout.write(`${result.output}\n`)
  tally[result.isGreen ? 'passed' : 'failed'] += 1
}

rmSync(REPORT, { force: true })
const projects = ['unit', 'console', 'journeys', ...(browser ? ['e2e'] : [])]
const suite = await runStep({
  name: 'tests',
  args: tool(
    'vitest/vitest.mjs',
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    ...process.argv.slice(2),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
  ),
  env: { ...compileCache, ...(browser && { TOLLGATE_BROWSER: browser }) },
})
count(suite.isGreen)

for (const line of leftOut) process.stdout.write(`\nLEFT OUT: ${line}\n`)
if (tally.skipped > 0) process.stdout.write(`\nSKIPPED: ${tally.skipped} tests\n`)
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed\n`)
process.exitCode = tally.failed === 0 ? 0 : 1

/** Adds the runner's report to the tally; a runner that dies without one, or is red for another reason, is a failure. */
function count(isGreen) {
  if (!existsSync(REPORT)) {
    tally.failed += 1
    return
  }
  const report = JSON.parse(readFileSync(REPORT, 'utf8'))
  tally.passed += report.numPassedTests
  tally.failed += report.numFailedTests
  tally.skipped += report.numPendingTests + report.numTodoTests
  const files = report.testResults ?? []
  const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  tally.failed += broken.length
  if (!isGreen && tally.failed === 0) tally.failed = 1
}
