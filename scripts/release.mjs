// `npm run release`: makes everything that a release consists of in `release/`: the npm package, the Debian package,
// the single program, the Helm chart, the list of what is in them (SBOM), checksums and a signature. The same sources give the same
// bytes: all times are SOURCE_DATE_EPOCH, or the time of the last commit.
//
//   --skip-tests     the tests have just run
//   MINISIGN_KEY     file of a minisign secret key; without it the release says that it is unsigned
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { buildBundle } from './bundle/build.mjs'
import { ensureConsoleBuilt } from './console-build.mjs'
import { ensureInstalled, fail, nodePath, root } from './install.mjs'
import { packChart } from './wrappers/chart.mjs'
import { buildDeb } from './wrappers/deb.mjs'
import { buildExecutable } from './wrappers/executable.mjs'
import { requireRelease } from './wrappers/release-version.mjs'
import { packNpm } from './wrappers/npm-package.mjs'
import { signRelease, writeChecksums } from './wrappers/checksums.mjs'
import { writeSbom } from './wrappers/sbom.mjs'

const folder = join(root, 'release')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

ensureInstalled('full')
requireRelease(version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
if (!process.argv.includes('--skip-tests')) check(['scripts/verify.mjs', 'scripts/test.mjs'])
ensureConsoleBuilt()
await buildBundle()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

const epoch = epochOf()
say(packNpm(folder))
say(await buildExecutable({ folder, version }))
if (process.platform === 'linux') say(buildDeb({ folder, version, epoch }))
else process.stdout.write('LEFT OUT: the Debian package is made on Linux\n')
say(packChart({ folder, version, epoch }))
say(writeSbom({ folder, version, epoch }))
say(writeChecksums(folder))
const signature = signRelease(folder, { key: process.env['MINISIGN_KEY'], version })
if (signature) say(signature)
else process.stdout.write('unsigned: MINISIGN_KEY names no key\n')

function check(scripts) {
  for (const script of scripts) {
    const { status } = spawnSync(nodePath(), [join(root, script)], { cwd: root, stdio: 'inherit' })
    if (status !== 0) fail(`${script} failed: there is no release.`)
  }
}

function epochOf() {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined) return Number(given)
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' })
  return Number(stdout) || fail('Set SOURCE_DATE_EPOCH: there is no commit to take the time from.')
}

function say(path) {
  process.stdout.write(`${path}\n`)
}
