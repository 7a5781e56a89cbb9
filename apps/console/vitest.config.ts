import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'console',
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    testTimeout: 30_000,
    setupFiles: ['src/shared/testing/browser.ts'],
  },
})
