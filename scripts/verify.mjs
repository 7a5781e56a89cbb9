// `npm run verify`: format, lint, types, unused code and unit tests, in seconds; run it before a review.
import process from 'node:process'
import { quickChecks, unitTests } from './checks.mjs'
import { compileCache, ensureInstalled } from './install.mjs'
import { runSideBySide } from './steps.mjs'

ensureInstalled('full')

const env = { ...compileCache, TOLLGATE_QUICK: 'true' }
const [lint, ...otherChecks] = quickChecks
const steps = [lint, ...unitTests.map((step) => ({ ...step, env })), ...otherChecks]
// A third step uses the cores while tests wait for processes, disks and timers.
const greens = await runSideBySide(steps, { atOnce: 3 })
process.exit(greens.every(Boolean) ? 0 : 1)
