// `npm run release`: makes everything that a release consists of in `release/`: the npm package, the Debian package,
// the single program, the Helm chart, the list of what is in them (SBOM), checksums and a signature. The same sources
// give the same bytes: all times are SOURCE_DATE_EPOCH, or the time of the last commit. Whatever stands against a
// release ends it with one line, before the tests where it can be known.
//
//   --skip-tests     the tests have just run
//   MINISIGN_KEY     file of a minisign secret key; without it the release says that it is unsigned
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { buildBundle } from './bundle/build.mjs'
import { ensureConsoleBuilt } from './console-build.mjs'
import { ensureInstalled, fail, nodePath, root } from './install.mjs'
import { packChart } from './wrappers/chart.mjs'
import { signRelease, writeChecksums } from './wrappers/checksums.mjs'
import { buildDeb } from './wrappers/deb.mjs'
import { buildExecutable } from './wrappers/executable.mjs'
import { packNpm } from './wrappers/npm-package.mjs'
import { obstacleTo } from './wrappers/release-obstacles.mjs'
import { requireRelease } from './wrappers/release-version.mjs'
import { pinnedRuntime } from './wrappers/runtime.mjs'
import { writeSbom } from './wrappers/sbom.mjs'

const folder = join(root, 'release')
const options = process.argv.slice(2)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const obstacle = obstacleTo({ options, env: process.env })
if (obstacle) fail(obstacle)
requireRelease(version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
ensureInstalled('full')
// Another Node may compress differently.
if (process.version !== `v${pinnedRuntime().version}`)
  runWith(nodePath(), ['scripts/release.mjs', ...options])
if (!options.includes('--skip-tests'))
  for (const script of ['scripts/verify.mjs', 'scripts/test.mjs'])
    if (run(nodePath(), [script]) !== 0) fail(`${script} failed: there is no release.`)

try {
  await makeRelease()
} catch (error) {
  fail(`There is no release: ${error instanceof Error ? error.message : String(error)}`)
}

/** The folder appears when everything in it is complete. */
async function makeRelease() {
  const draft = `${folder}.part`
  for (const old of [folder, draft]) rmSync(old, { recursive: true, force: true })
  mkdirSync(draft)
  ensureConsoleBuilt()
  await buildBundle()
  const epoch = epochOf()
  packNpm(draft)
  await buildExecutable({ folder: draft, version })
  const isDebianMade = process.platform === 'linux'
  if (isDebianMade) buildDeb({ folder: draft, version, epoch })
  packChart({ folder: draft, version, epoch })
  writeSbom({ folder: draft, version, epoch })
  writeChecksums(draft)
  const signature = signRelease(draft, { key: process.env['MINISIGN_KEY'], version })
  renameSync(draft, folder)
  for (const name of readdirSync(folder).sort()) process.stdout.write(`${join(folder, name)}\n`)
  if (!isDebianMade) process.stdout.write('LEFT OUT: the Debian package is made on Linux\n')
  if (!signature) process.stdout.write('unsigned: MINISIGN_KEY names no key\n')
}

function epochOf() {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined) return Number(given)
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  return Number(stdout) || fail('Set SOURCE_DATE_EPOCH: there is no commit to take the time from.')
}

function run(file, args) {
  return spawnSync(file, args, { cwd: root, stdio: 'inherit' }).status
}

function runWith(file, args) {
  process.exit(run(file, args) ?? 1)
}
