import { realpathSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { LeftDatabases } from '@tollgate/testkit/left-databases'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Generous limits, so that a busy machine does not cause failures. */
const patient = { timeout: 20_000 }

/**
 * The slowest files, slowest first. If one of them started last, the other workers would be idle until it
 * ends.
 */
const LONGEST = [
  'e2e/screens.test.ts',
  'e2e/buttons.test.ts',
  'e2e/bad-input.test.ts',
  'e2e/channel-form.test.ts',
  'e2e/settings.test.ts',
  'e2e/dashboard.test.ts',
  'packages/store/test/usage.test.ts',
  'apps/server/test/nodes/quota-in-reach.test.ts',
  'apps/server/test/nodes/workers.test.ts',
  'packages/ledger/test/shared-deaths.test.ts',
  'apps/server/test/nodes/revoked-everywhere.test.ts',
  'apps/server/test/commands/move.test.ts',
  'packages/ledger/test/kill.test.ts',
  'apps/server/test/nodes/nodes.test.ts',
  'packages/ledger/test/node-deaths.test.ts',
  'apps/server/test/commands/import-into-servers.test.ts',
  'apps/server/test/commands/import-again.test.ts',
  'apps/server/test/commands/import-large-rows.test.ts',
  'apps/server/test/package.test.ts',
  'packages/ledger/test/rewound-server.test.ts',
  'packages/ledger/test/network.test.ts',
  'packages/ledger/test/quota-model.test.ts',
  'packages/ledger/test/model.test.ts',
  'apps/server/test/relay/two-snapshots.test.ts',
  'packages/providers/src/convert-growth.test.ts',
  'packages/ledger/src/writer.test.ts',
  'bench/src/processes.test.ts',
]

/** The long fault tests say which test begins. */
const progress =
  process.env['TOLLGATE_FAULTS'] === 'long'
    ? { setupFiles: [`${import.meta.dirname}/scripts/fault-progress.mjs`] }
    : {}

/** Where `npm test` reads the results of each file. */
const report = process.env['TOLLGATE_TEST_REPORT']

/** A project that is not named runs after these. */
const PROJECTS = ['journeys', 'journeys-mocked', 'console-dom', 'unit']

/**
 * Sorts the files by project, and the slowest first within one. Vitest ends a worker as soon as the next file
 * belongs to another project, and a new worker has to load all modules again.
 */
class ByProject extends BaseSequencer {
  /** Without measurements of an earlier run, as on a fresh clone, the other files are sorted by size. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const names = [...new Set([...PROJECTS, ...sorted.map(({ project }) => project.name)])]
    const projectOf = ({ project }: TestSpecification) => names.indexOf(project.name)
    return sorted.toSorted((a, b) => projectOf(a) - projectOf(b) || place(a) - place(b))
  }
}

function place({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((path) => moduleId.endsWith(path))
  return index < 0 ? LONGEST.length : index
}

/** Tests that replace whole modules, which only Vitest's own loader can do. */
const MOCKED = ['**/*.mocked.test.ts']

const mocked = (name: string, folder: 'src' | 'test') => ({
  test: {
    name,
    include: [`apps/server/${folder}/**/*.mocked.test.ts`],
    environment: 'node' as const,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: patient },
  },
})

/**
 * Node loads the other tests as it loads the program, without a transformation by Vite, which takes a fifth
 * less CPU time. A Vitest from outside this checkout has to use its own loader, because the tests would
 * otherwise import another copy of it.
 */
const byNode = {
  experimental: {
    viteModuleRunner: !realpathSync(process.argv[1] ?? import.meta.filename).startsWith(import.meta.dirname),
    nodeLoader: false,
  },
}

/** Unit tests are beside the code; journeys and fault tests are in `test/` folders. */
export default defineConfig({
  test: {
    // Tests mostly wait for processes, disks and timers, so three workers fit on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: ByProject },
    reporters: ['default', ...(report ? ['json'] : []), new LeftDatabases('e2e')],
    ...(report && { outputFile: { json: report } }),
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
            'bench/src/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'deploy/*.test.ts',
          ],
          exclude: MOCKED,
          environment: 'node',
          ...byNode,
          ...progress,
          // Unit tests leave no state in modules, and loading the modules anew for each file took longer than
          // the tests themselves.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: { poll: patient },
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['apps/server/test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: MOCKED,
          environment: 'node',
          ...byNode,
          ...progress,
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: patient },
        },
      },
      mocked('unit-mocked', 'src'),
      mocked('journeys-mocked', 'test'),
      {
        test: {
          name: 'deploy',
          include: ['apps/server/test/deploy/*.deploy.ts'],
          environment: 'node',
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: { poll: patient },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          environment: `${import.meta.dirname}/e2e/support/environment.ts`,
          ...byNode,
          // The files of a worker share one browser.
          isolate: false,
          setupFiles: ['e2e/support/setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: patient },
          // Walks run after everything else, because pages are slow beside tests that produce load. With two workers,
          // two cores were idle for a seventh of the time.
          sequence: { groupOrder: 1 },
        },
      },
      'apps/console/vitest.config.ts',
      'apps/console/vitest.dom.config.ts',
    ],
  },
})
