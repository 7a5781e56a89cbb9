import { defineConfig } from 'vitest/config'

/** Tests that need a DOM; setting it up costs about a second for each such file. */
export default defineConfig({
  test: {
    name: 'console-dom',
    include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
    environment: 'jsdom',
    isolate: false,
    testTimeout: 30_000,
    setupFiles: ['src/shared/testing/browser.ts'],
  },
})
