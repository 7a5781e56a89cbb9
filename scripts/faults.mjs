// `npm run test:faults`: the long versions of the fault tests, which take minutes to an hour. `npm test` runs
// their short versions.
import process from 'node:process'
import { bundleTestChildren } from './bundle/test-children.mjs'
import { listOtherFaultTests, REPEATING_TESTS } from './fault-files.mjs'
import { ensureInstalled } from './install.mjs'
import { openServers } from './servers/index.mjs'
import { countMissingServers, printLeftOut } from './servers/left-out.mjs'
import { runStep, tool } from './steps.mjs'

ensureInstalled('full')
const servers = await openServers()
const env = { TOLLGATE_FAULTS: 'long', TOLLGATE_TEST_CHILDREN: await bundleTestChildren() }

/** The files and the options of this command, which also decide how many tests a missing server takes away. */
const chooseTests = (files) => ['--project=journeys', '--project=unit', ...files, ...process.argv.slice(2)]

/** Runs files one after the other. A single test may take `minutes`, many times what it takes on an idle machine. */
function runFiles(files, { minutes }) {
  return runStep({
    name: 'faults',
    args: tool(
      'vitest/vitest.mjs',
      'run',
      `--testTimeout=${minutes * 60_000}`,
      '--no-file-parallelism',
      ...servers.options,
      ...chooseTests(files),
    ),
    env: { ...env, ...servers.env },
  })
}

const others = await runFiles(listOtherFaultTests(), { minutes: 10 })
const repeating = await runFiles(REPEATING_TESTS, { minutes: 45 })
await printLeftOut(servers, { args: chooseTests([...listOtherFaultTests(), ...REPEATING_TESTS]), env })
process.exit(others.isGreen && repeating.isGreen && countMissingServers(servers) === 0 ? 0 : 1)
