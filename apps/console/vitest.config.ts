import { defineConfig } from 'vitest/config'

/** What only computes needs no page; what draws or keeps something in the browser is in `vitest.dom.config.ts`. */
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
