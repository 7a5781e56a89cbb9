import { defineConfig } from 'vitest/config'

/**
 * Tests of pure computation need no DOM; tests that render or use browser storage run with
 * `vitest.dom.config.ts`.
 */
export default defineConfig({
  test: {
    name: 'console',
    include: ['src/**/*.test.ts'],
    exclude: ['src/**/*.dom.test.ts'],
    environment: 'node',
    isolate: false,
    testTimeout: 30_000,
  },
})
