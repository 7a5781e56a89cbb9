// `npm test`: runs the complete suite, also on a fresh clone. The last line reads `N passed, N failed`.
import process from 'node:process'
import { ensureBrowser } from './browser.mjs'
import { buildBundle, bundledProgram } from './bundle/build.mjs'
import { bundleTestChildren } from './bundle/test-children.mjs'
import { staticChecks } from './checks.mjs'
import { ensureConsoleBuilt } from './console-build.mjs'
import { compileCache, ensureInstalled } from './install.mjs'
import { openServers } from './servers/index.mjs'
import { countMissingServers, printLeftOut } from './servers/left-out.mjs'
import { runSideBySide } from './steps.mjs'
import { Suite } from './suite.mjs'

const installingBrowser = ensureBrowser()
ensureInstalled('full')
const openingServers = openServers()

// Tests wait for processes, disks and timers, and the checks compute meanwhile.
const checks = runSideBySide(staticChecks, { isPatient: true })
ensureConsoleBuilt()
await buildBundle()
const children = await bundleTestChildren()

const leftOut = []
const servers = await openingServers
const browser = await installingBrowser
if (!browser)
  leftOut.push('browser walks: no Chromium here (Debian: apt-get install chromium-headless-shell)')

const withoutBrowser = ['unit', 'unit-mocked', 'console', 'console-dom', 'journeys', 'journeys-mocked']
const projects = browser ? [...withoutBrowser, 'e2e'] : withoutBrowser
const suite = new Suite({
  projects,
  options: [...servers.options, ...process.argv.slice(2)],
  // Tests that start the program run what ships, which also starts faster than the sources.
  env: {
    ...compileCache,
    ...servers.env,
    TOLLGATE_PROGRAM: bundledProgram,
    TOLLGATE_TEST_CHILDREN: children,
    ...(browser && { TOLLGATE_BROWSER: browser }),
  },
})
await suite.run()
const unstable = await suite.retryFailed()
const tally = { passed: 0, failed: 0, skipped: 0 }
for (const isGreen of await checks) tally[isGreen ? 'passed' : 'failed'] += 1
for (const name of ['passed', 'failed', 'skipped']) tally[name] += suite.tally[name]
tally.failed += countMissingServers(servers)

for (const file of unstable)
  process.stdout.write(
    `\nUNSTABLE: ${file} was red beside the others and green alone; its first failure stands above\n`,
  )
await printLeftOut(servers, { args: ['--project', 'journeys', ...process.argv.slice(2)] })
for (const line of leftOut) process.stdout.write(`\nLEFT OUT: ${line}\n`)
if (tally.skipped > 0) process.stdout.write(`\nSKIPPED: ${tally.skipped} tests\n`)
process.stdout.write(`\n${tally.passed} passed, ${tally.failed} failed\n`)
process.exitCode = tally.failed === 0 ? 0 : 1
