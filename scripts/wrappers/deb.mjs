// The Debian package: the bundle, the pinned Node (Debian's is older) and a unit for systemd.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { dist } from '../bundle/build.mjs'
import { root } from '../install.mjs'
import { pinnedRuntime } from './runtime.mjs'

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }
const PLACE = 'usr/lib/tollgate'

/** Files of the package by their place in the repository. */
const COPIES = {
  'deploy/systemd/tollgate.service': 'lib/systemd/system/tollgate.service',
  'deploy/systemd/tollgate.env': 'etc/tollgate/tollgate.env',
  'deploy/deb/tollgate': 'usr/bin/tollgate',
  'docs/reference/settings.md': 'usr/share/doc/tollgate/settings.md',
  'README.md': 'usr/share/doc/tollgate/README.md',
  'CHANGELOG.md': 'usr/share/doc/tollgate/CHANGELOG.md',
  LICENSE: 'usr/share/doc/tollgate/copyright',
}

/**
 * Needs `dpkg-deb` and a built `dist/`.
 * @param {{ folder: string, version: string, epoch: number, from?: string, runtime?: { program: string, licence: string } }} parts
 *   `epoch`: seconds, the time of every file; `from`: the bundle
 * @returns {string} path of the package
 */
export function buildDeb({ folder, version, epoch, from = dist, runtime = pinnedRuntime() }) {
  const tree = mkdtempSync(join(tmpdir(), 'tollgate-deb-'))
  try {
    fill(tree, { from, runtime })
    mkdirSync(join(tree, 'DEBIAN'))
    for (const name of ['postinst', 'prerm', 'postrm'])
      cpScript(`deploy/deb/${name}`, join(tree, 'DEBIAN', name))
    writeFileSync(join(tree, 'DEBIAN/conffiles'), '/etc/tollgate/tollgate.env\n')
    writeFileSync(join(tree, 'DEBIAN/control'), control(version, Math.ceil(bytesIn(tree) / 1024)))
    settle(tree, epoch)
    const to = join(folder, `tollgate_${version}_${architecture()}.deb`)
    const args = ['--root-owner-group', '-Zzstd', '-z9', '--build', tree, to]
    const { status, stderr } = spawnSync('dpkg-deb', args, {
      encoding: 'utf8',
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    })
    if (status !== 0) throw new Error(`dpkg-deb failed: ${stderr}`)
    return to
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function fill(tree, { from: bundle, runtime: { program, licence } }) {
  cpSync(bundle, join(tree, PLACE), { recursive: true })
  cpSync(program, join(tree, PLACE, 'node'))
  cpSync(licence, join(tree, PLACE, 'LICENSE.node'))
  for (const [from, to] of Object.entries(COPIES)) {
    mkdirSync(dirname(join(tree, to)), { recursive: true })
    cpSync(join(root, from), join(tree, to))
  }
  chmodSync(join(tree, 'usr/bin/tollgate'), 0o755)
}

function cpScript(from, to) {
  cpSync(join(root, from), to)
  chmodSync(to, 0o755)
}

function control(version, kilobytes) {
  return `Package: tollgate
Version: ${version}
Architecture: ${architecture()}
Maintainer: Tollgate <tollgate@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6 (>= 11)
Suggests: postgresql, redis-server, caddy | nginx | haproxy
Section: net
Priority: optional
Description: AI model API gateway with an operator and user console
 Callers send OpenAI, Anthropic or Gemini requests with a Tollgate token;
 Tollgate picks an upstream channel, relays the bytes, measures the usage and
 charges the owner's quota exactly. It carries the Node runtime that it needs.
`
}

function architecture() {
  return ARCHITECTURES[process.arch] ?? process.arch
}

/** The same modes and times whoever builds it, so that the same sources give the same package. */
function settle(folder, epoch) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) settle(path, epoch)
    else {
      chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
      utimesSync(path, epoch, epoch)
    }
  }
  chmodSync(folder, 0o755)
  utimesSync(folder, epoch, epoch)
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
