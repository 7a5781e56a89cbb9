// `npm run test:faults`: the long versions of the fault tests, which take minutes to an hour. `npm test` runs
// their short versions.
import process from 'node:process'
import { bundleTestChildren } from './bundle/test-children.mjs'
import { listOtherFaultTests, REPEATING_TESTS } from './fault-files.mjs'
import { ensureInstalled } from './install.mjs'
import { runStep, tool } from './steps.mjs'

ensureInstalled('full')
const env = { TOLLGATE_FAULTS: 'long', TOLLGATE_TEST_CHILDREN: await bundleTestChildren() }

/** Runs files one after the other. A single test may take `minutes`, many times what it takes on an idle machine. */
function runFiles(files, { minutes }) {
  return runStep({
    name: 'faults',
    args: tool(
      'vitest/vitest.mjs',
      'run',
      '--project=journeys',
      '--project=unit',
      `--testTimeout=${minutes * 60_000}`,
      '--no-file-parallelism',
      ...files,
      ...process.argv.slice(2),
    ),
    env,
  })
}

const others = await runFiles(listOtherFaultTests(), { minutes: 10 })
const repeating = await runFiles(REPEATING_TESTS, { minutes: 45 })
process.exit(others.isGreen && repeating.isGreen ? 0 : 1)
