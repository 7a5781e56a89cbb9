// `npm run test:ops`: Prometheus reads the gateway, the alert rules are tested, and an alert reaches a receiver
// through Alertmanager. On Debian, as root, missing programs are installed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { ensureInstalled } from './install.mjs'
import { runStep, tool } from './steps.mjs'

const PROGRAMS = ['promtool', 'prometheus', 'prometheus-alertmanager']
const isThere = (program) => spawnSync(program, ['--version']).error === undefined

function ensurePrograms() {
  if (PROGRAMS.every(isThere)) return []
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    process.stdout.write('Installing prometheus and prometheus-alertmanager …\n')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env })
    const packages = ['prometheus', 'prometheus-alertmanager']
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], {
      stdio: 'ignore',
      env,
    })
  }
  return PROGRAMS.filter((program) => !isThere(program))
}

/** @param {readonly string[]} args */
function promtool(...args) {
  return spawnSync('promtool', args, { stdio: 'inherit' }).status === 0
}

ensureInstalled('full')
const missing = ensurePrograms()
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
