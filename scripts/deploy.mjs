// `npm run test:deploy`: installs each wrapper of the bundle and uses it as an operator does, and walks calls through
// the reverse proxies in `deploy/`. As root on Debian it installs the packages that it needs; what cannot be tried is
// named at the end. `npm test` has the cheap checks of the same files.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { buildBundle, bundledProgram } from './bundle/build.mjs'
import { ensureConsoleBuilt } from './console-build.mjs'
import { ensureInstalled, root } from './install.mjs'
import { runStep, tool } from './steps.mjs'
import { packChart } from './wrappers/chart.mjs'
import { buildDeb } from './wrappers/deb.mjs'
import { buildExecutable } from './wrappers/executable.mjs'

/** Debian's package by the program that the tests start. */
const PACKAGES = {
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  caddy: 'caddy',
  buildah: 'buildah',
  mmdebstrap: 'mmdebstrap',
  'dpkg-deb': 'dpkg',
  chroot: 'coreutils',
  unzip: 'unzip',
  'systemd-analyze': 'systemd',
}

const has = (name) =>
  ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((folder) => existsSync(`${folder}/${name}`))
const missing = () => Object.keys(PACKAGES).filter((name) => !has(name))

ensureInstalled('full')
ensureConsoleBuilt()
await buildBundle()
installMissing()
const absent = missing()

const folder = join(root, 'node_modules/.cache/deploy/wrappers')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const version = '0.0.1'
const { version: ourVersion } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
await buildExecutable({ folder, version })
packChart({ folder, version: ourVersion, epoch: 1_700_000_000 })
if (!absent.includes('dpkg-deb')) buildDeb({ folder, version, epoch: 1_700_000_000 })

if (process.getuid?.() !== 0) absent.push('root')
const { isGreen } = await runStep({
  name: 'deploy',
  args: tool(
    'vitest/vitest.mjs',
    'run',
    '--project',
    'deploy',
    '--no-file-parallelism',
    ...process.argv.slice(2),
  ),
  env: { TOLLGATE_PROGRAM: bundledProgram, TOLLGATE_WRAPPERS: folder, TOLLGATE_ABSENT: absent.join(' ') },
})
for (const name of absent)
  process.stdout.write(`\nLEFT OUT: what needs ${name === 'root' ? 'the rights of root' : name}\n`)
process.exit(isGreen ? 0 : 1)

/** No service of a package is started: the tests start the programs themselves. */
function installMissing() {
  const packages = missing().map((name) => PACKAGES[name])
  if (packages.length === 0 || !existsSync('/etc/debian_version') || process.getuid?.() !== 0) return
  process.stdout.write(`Installing ${packages.join(', ')} …\n`)
  const options = {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  }
  spawnSync('apt-get', ['update', '-q'], options)
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options)
}
