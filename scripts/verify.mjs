// `npm run verify`: format, lint, types, unused code and unit tests, in seconds; run it before a review.
import process from 'node:process'
import { staticChecks, unitTests } from './checks.mjs'
import { compileCache, ensureInstalled } from './install.mjs'
import { runSideBySide } from './steps.mjs'

ensureInstalled('full')

const quick = { ...unitTests, env: { ...compileCache, TOLLGATE_QUICK: 'true' } }
const greens = await runSideBySide([quick, ...staticChecks])
process.exit(greens.every(Boolean) ? 0 : 1)
