// The single program: the pinned Node with the bundle in it. Node calls this a single executable application.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import process from 'node:process'
import { dist } from '../bundle/build.mjs'
import { root } from '../install.mjs'
import { pinnedRuntime } from './runtime.mjs'

const MAIN = 'unpack.cjs'
/** Node looks for it in its own file. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Needs a built `dist/`.
 * @param {{ folder: string, version: string }} parts
 * @returns {Promise<string>} path of the program
 */
export async function buildExecutable({ folder, version }) {
  const blob = programBlob(dist)
  const { program } = pinnedRuntime()
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const to = join(folder, `tollgate-${version}-${process.platform}-${process.arch}${suffix}`)
  cpSync(program, to)
  chmodSync(to, 0o755)
  const { inject } = await import('postject')
  await inject(to, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE })
  return to
}

/**
 * What is put into Node.
 * @param {string} bundle folder of the bundle
 * @returns {Buffer}
 */
export function programBlob(bundle) {
  const work = mkdtempSync(join(tmpdir(), 'tollgate-executable-'))
  try {
    return blobOf(work, bundle)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function blobOf(work, bundle) {
  const assets = assetsOf(bundle)
  const list = join(work, 'files.json')
  writeFileSync(list, JSON.stringify(listOf(assets)))
  // Node writes the path of the main file into the program as it is given here, so it must not name the checkout.
  cpSync(join(root, 'scripts/wrappers', MAIN), join(work, MAIN))
  const config = join(work, 'config.json')
  const blob = join(work, 'program.blob')
  writeFileSync(
    config,
    JSON.stringify({
      main: MAIN,
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: { ...assets, 'files.json': list },
    }),
  )
  const { status, stderr } = spawnSync(pinnedRuntime().program, ['--experimental-sea-config', config], {
    cwd: work,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Node could not make the program: ${stderr}`)
  return readFileSync(blob)
}

/** @returns {Record<string, string>} path of each file by its place in the bundle, in order */
function assetsOf(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
  return Object.fromEntries(paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), path]))
}

/** What is unpacked: the hash of each file, and one of all, which names the folder. */
function listOf(assets) {
  const files = Object.entries(assets).map(([name, path]) => [name, sha256(readFileSync(path))])
  return { id: sha256(JSON.stringify(files)).slice(0, 16), files }
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex')
}
