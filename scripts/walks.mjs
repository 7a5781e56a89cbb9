// `npm run test:walks`: the long versions of the browser walks: every page loaded in four looks, the channel form
// of every provider, and every button in both languages. `npm test` runs their short versions.
import process from 'node:process'
import { ensureBrowser } from './browser.mjs'
import { buildBundle, bundledProgram } from './bundle/build.mjs'
import { ensureConsoleBuilt } from './console-build.mjs'
import { compileCache, ensureInstalled, fail } from './install.mjs'
import { runStep, tool } from './steps.mjs'

ensureInstalled('full')
ensureConsoleBuilt()
await buildBundle()
const browser = await ensureBrowser()
if (!browser) fail('No Chromium here (Debian: apt-get install chromium-headless-shell).')
const result = await runStep({
  name: 'walks',
  args: tool(
    'vitest/vitest.mjs',
    'run',
    '--project',
    'e2e',
    'e2e/screens.test.ts',
    'e2e/channel-form.test.ts',
    'e2e/buttons.test.ts',
    ...process.argv.slice(2),
  ),
  env: {
    ...compileCache,
    TOLLGATE_PROGRAM: bundledProgram,
    TOLLGATE_BROWSER: browser,
    TOLLGATE_WALKS: 'long',
  },
})
process.exit(result.isGreen ? 0 : 1)
