// `npm run verify`: format, lint, types, unused code, unit tests; seconds, before anyone else looks.
import process from 'node:process'
import { staticChecks, unitTests } from './checks.mjs'
import { compileCache, ensureInstalled } from './install.mjs'
import { runSideBySide } from './steps.mjs'

ensureInstalled('full')

const quick = { ...unitTests, env: { ...compileCache, TOLLGATE_QUICK: 'true' } }
const greens = await runSideBySide([quick, ...staticChecks])
process.exit(greens.every(Boolean) ? 0 : 1)
