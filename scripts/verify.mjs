// `npm run verify`: format, lint, types, unused code, unit tests; seconds, before anyone else looks.
import process from 'node:process'
import { staticChecks, unitTests } from './checks.mjs'
import { ensureInstalled } from './install.mjs'
import { runStep } from './steps.mjs'

ensureInstalled('full')

let isGreen = true
for (const step of [...staticChecks, unitTests]) {
  const result = await runStep(step, { isQuiet: true })
  isGreen &&= result.isGreen
  process.stdout.write(`${result.isGreen ? 'ok  ' : 'FAIL'} ${step.name} (${result.seconds.toFixed(1)} s)\n`)
  if (!result.isGreen) process.stdout.write(`${result.output}\n`)
}
process.exit(isGreen ? 0 : 1)
