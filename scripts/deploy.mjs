// `npm run test:deploy`: installs each wrapper of the bundle and uses it as an operator does, and walks calls through
// the reverse proxies in `deploy/`. As root on Debian it installs the packages that it needs; what cannot be tried is
// named at the end. `npm test` has the cheap checks of the same files.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { buildBundle, bundledProgram } from './bundle/build.mjs'
import { ensureConsoleBuilt } from './console-build.mjs'
import { ensureInstalled, root } from './install.mjs'
import { openServers } from './servers/index.mjs'
import { countMissingServers, printLeftOut } from './servers/left-out.mjs'
import { PROGRAM_PACKAGES } from './servers/list.mjs'
import { ensurePrograms, findProgram } from './servers/packages.mjs'
import { runStep, tool } from './steps.mjs'
import { packChart } from './wrappers/chart.mjs'
import { buildDeb } from './wrappers/deb.mjs'
import { buildExecutable } from './wrappers/executable.mjs'

/** The environment of what the tests run has another PATH. */
const findInSystem = (name) => findProgram(name, { path: '' })

ensureInstalled('full')
ensureConsoleBuilt()
await buildBundle()
const absent = await ensurePrograms(PROGRAM_PACKAGES.deploy, findInSystem)
const servers = await openServers(['postgres'])

const folder = join(root, 'node_modules/.cache/deploy/wrappers')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const version = '0.0.1'
const { version: ourVersion } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
await buildExecutable({ folder, version })
packChart({ folder, version: ourVersion, epoch: 1_700_000_000 })
if (!absent.includes('dpkg-deb')) buildDeb({ folder, version, epoch: 1_700_000_000 })

if (process.getuid?.() !== 0) absent.push('root')
const args = ['--project', 'deploy', ...process.argv.slice(2)]
const env = {
  TOLLGATE_PROGRAM: bundledProgram,
  TOLLGATE_WRAPPERS: folder,
  TOLLGATE_ABSENT: absent.join(' '),
}
const { isGreen } = await runStep({
  name: 'deploy',
  args: tool('vitest/vitest.mjs', 'run', '--no-file-parallelism', ...servers.options, ...args),
  env: { ...env, ...servers.env },
})
for (const name of absent)
  process.stdout.write(`\nLEFT OUT: what needs ${name === 'root' ? 'the rights of root' : name}\n`)
await printLeftOut(servers, { args, env })
process.exit(isGreen && countMissingServers(servers) === 0 ? 0 : 1)
