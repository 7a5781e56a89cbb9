// `npm run test:faults`: the long versions of the fault tests, which take minutes to an hour. `npm test` runs
// their short versions.
import process from 'node:process'
import { bundleTestChildren } from './bundle/test-children.mjs'
import { ensureInstalled } from './install.mjs'
import { runStep, tool } from './steps.mjs'

ensureInstalled('full')
const result = await runStep({
  name: 'faults',
  args: tool(
    'vitest/vitest.mjs',
    'run',
    '--project',
    'journeys',
    '--project',
    'unit',
    '--testTimeout=3600000',
    '--no-file-parallelism',
    'packages/billing/src/price-cases.test.ts',
    'packages/dialects/src/json-splice.test.ts',
    'packages/dialects/src/openai/stream-tap.test.ts',
    'packages/dialects/src/pair/pairs.test.ts',
    'packages/ledger/test',
    'packages/store/test/encrypt-channels.test.ts',
    'apps/server/test/commands/move.test.ts',
    'apps/server/test/relay',
    'apps/server/test/nodes',
    ...process.argv.slice(2),
  ),
  env: { TOLLGATE_FAULTS: 'long', TOLLGATE_TEST_CHILDREN: await bundleTestChildren() },
})
process.exit(result.isGreen ? 0 : 1)
