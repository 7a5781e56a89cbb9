import { endBrowser } from './launch.ts'

// oxlint-disable-next-line import/no-default-export -- Vitest reads it
export default {
  name: 'browser',
  viteEnvironment: 'ssr',
  setup: () => ({ teardown: endBrowser }),
}
