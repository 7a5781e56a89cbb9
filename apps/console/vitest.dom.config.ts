import { defineConfig } from 'vitest/config'

/** Tests that need a page: each such file costs a second before its first test. */
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
