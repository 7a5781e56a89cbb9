// `npm run verify`: format, lint, types, unused code and unit tests, in seconds; run it before a review.
import process from 'node:process'
import { changedFiles } from './changed-files.mjs'
import { componentTests, quickChecks, touchesConsole, unitTests } from './checks.mjs'
import { compileCache, ensureInstalled } from './install.mjs'
import { runSideBySide } from './steps.mjs'

ensureInstalled('full')

const changed = changedFiles()
const withComponents = touchesConsole(changed)
const env = { ...compileCache, TOLLGATE_QUICK: 'true' }
const tests = [...(withComponents ? [componentTests] : []), unitTests]
const steps = [...tests.map((step) => ({ ...step, env })), ...quickChecks(changed)]
// A third step uses the cores while tests wait for processes, disks and timers.
const greens = await runSideBySide(steps, { atOnce: 3 })

if (!withComponents) leftOut('component tests: no file of the console is changed')
if (changed) leftOut('lint with types of files that are not changed')
process.exit(greens.every(Boolean) ? 0 : 1)

function leftOut(what) {
  process.stdout.write(`left to npm test: ${what}\n`)
}
