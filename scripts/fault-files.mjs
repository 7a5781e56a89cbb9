// The fault tests that have a long version.
import { globSync } from 'node:fs'
import { root } from './install.mjs'

/** These repeat a fault ten to a hundred times as often as in their short version. */
export const REPEATING_TESTS = [
  'packages/billing/src/price-cases.test.ts',
  'packages/dialects/src/json-splice.test.ts',
  'packages/dialects/src/pair/pairs.test.ts',
  'packages/ledger/test/journal-accounts.test.ts',
  'packages/ledger/test/kill.test.ts',
  'packages/ledger/test/model.test.ts',
  'packages/ledger/test/network.test.ts',
  'packages/ledger/test/node-deaths.test.ts',
  'packages/ledger/test/power-cut.test.ts',
  'packages/ledger/test/rewound.test.ts',
  'packages/ledger/test/rewound-server.test.ts',
  'packages/ledger/test/shared-deaths.test.ts',
  'packages/ledger/test/shared-quota.test.ts',
  'packages/ledger/test/simulator.test.ts',
  'packages/ledger/test/torn-write.test.ts',
  'apps/server/test/relay/cost-sum.test.ts',
  'apps/server/test/bill/bill.test.ts',
  'apps/server/test/relay/two-snapshots.test.ts',
  'apps/server/test/nodes/killed-answers.test.ts',
  'apps/server/test/nodes/workers.test.ts',
]

/** These run against more servers, or repeat a fault a few times as often. */
const OTHER_PLACES = [
  'packages/dialects/src/openai/stream-tap.test.ts',
  'packages/ledger/test',
  'packages/store/test/encrypt-channels.test.ts',
  'apps/server/test/commands/move.test.ts',
  'apps/server/test/relay',
  'apps/server/test/nodes',
]

/** Paths of the other fault tests. */
export function listOtherFaultTests() {
  const patterns = OTHER_PLACES.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`))
  const paths = globSync(patterns, { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  return paths.filter((path) => !REPEATING_TESTS.includes(path)).toSorted()
}
