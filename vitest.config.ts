import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Limits are generous, so that a busy machine is never taken for a bug. */
const patient = { timeout: 20_000 }

/** The longest files, longest first. One that begins last leaves the other workers idle until it ends. */
const LONGEST = [
  'e2e/screens.test.ts',
  'e2e/buttons.test.ts',
  'e2e/channel-form.test.ts',
  'e2e/settings.test.ts',
  'apps/server/test/nodes/workers.test.ts',
  'apps/server/test/nodes/nodes.test.ts',
  'packages/store/test/usage.test.ts',
  'apps/server/test/commands/move.test.ts',
  'packages/ledger/test/node-deaths.test.ts',
  'apps/server/test/keys/key-renewals.test.ts',
]

class LongestFirst extends BaseSequencer {
  /** Without what an earlier run measured, as on a fresh clone, the rest goes by size. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}

function place({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((path) => moduleId.endsWith(path))
  return index < 0 ? LONGEST.length : index
}

/** Unit tests stand beside the code; journeys and faults live in `test/` folders. */
export default defineConfig({
  test: {
    // Tests wait for processes, disks and timers more than they compute: three share two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'apps/server/src/**/*.test.ts'],
          environment: 'node',
          // They leave nothing behind in a module, and loading the modules anew for each file took longer than the tests.
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
          environment: 'node',
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: patient },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          environment: 'node',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Two browsers beside each other are enough for a machine: walks come after everything else.
          maxWorkers: Math.max(2, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
        },
      },
      'apps/console/vitest.config.ts',
      'apps/console/vitest.dom.config.ts',
    ],
  },
})
