// `npm run typecheck`: type-checks both programs, server and console.
import process from 'node:process'
import { staticChecks } from './checks.mjs'
import { ensureInstalled } from './install.mjs'
import { runStep } from './steps.mjs'

ensureInstalled('full')
let isGreen = true
for (const step of staticChecks.filter((check) => check.name.startsWith('types'))) {
  isGreen = (await runStep(step)).isGreen && isGreen
}
process.exit(isGreen ? 0 : 1)
