// `npm run test:ops`: Prometheus reads the gateway, the alert rules are tested, and an alert reaches a receiver
// through Alertmanager. On Debian, as root, missing programs are installed.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { ensureInstalled } from './install.mjs'
import { PROGRAM_PACKAGES } from './servers/list.mjs'
import { ensurePrograms } from './servers/packages.mjs'
import { runStep, tool } from './steps.mjs'

/** @param {readonly string[]} args */
function promtool(...args) {
  return spawnSync('promtool', args, { stdio: 'inherit' }).status === 0
}

ensureInstalled('full')
const missing = await ensurePrograms(PROGRAM_PACKAGES.ops)
if (missing.length > 0) process.stderr.write(`NOT TESTED, because they are missing: ${missing.join(', ')}\n`)
const rules =
  !missing.includes('promtool') &&
  promtool('check', 'rules', 'deploy/alerts.yml') &&
  promtool('test', 'rules', 'deploy/alerts.test.yml')
const journeys = await runStep({
  name: 'ops',
  args: tool(
    'vitest/vitest.mjs',
    'run',
    '--project',
    'journeys',
    'apps/server/test/ops',
    'apps/server/test/metrics.test.ts',
  ),
  env: missing.length === 0 ? { TOLLGATE_TEST_OPS: '1' } : {},
})
process.exit(rules && journeys.isGreen && missing.length === 0 ? 0 : 1)
