import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Limits are generous, so that a busy machine is never taken for a bug. */
const patient = { timeout: 20_000 }

/** Unit tests stand beside the code; journeys and faults live in `test/` folders. */
export default defineConfig({
  test: {
    // Tests wait more than they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
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
          sequence: { groupOrder: 1 },
        },
      },
      'apps/console/vitest.config.ts',
      'apps/console/vitest.dom.config.ts',
    ],
  },
})
