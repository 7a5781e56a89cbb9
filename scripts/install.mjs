// Runs on the system's own Node (20 or newer) with nothing but the standard library.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Node's compile cache; with it a start takes half the time. */
export const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile') }

const STAMP = join(root, 'node_modules', '.tollgate-install.json')
/** What the program needs; `engines` of the package that ships says the same. */
const NODE_MIN = [24, 7]
/** The platforms for which npm has a Node that package.json pins. */
const PINNED = new Set(['linux-x64', 'linux-arm64', 'win32-x64'])

/**
 * Arguments of `npm ci` per scope: `run` installs what serving needs, `full` adds the dependencies of
 * building and testing.
 */
const ARGUMENTS = {
  run: ['--omit=dev', '--include-workspace-root', '--workspace=apps/server', '--workspace=apps/console'],
  full: [],
}

/**
 * Installs the locked dependencies when the lock file has changed since the last installation, or when `full`
 * is requested and only `run` is installed.
 * @param {'run' | 'full'} scope
 */
export function ensureInstalled(scope) {
  const { platform, arch, versions } = process
  const missing = explainMissingNode({ platform, arch, version: versions.node })
  if (missing !== undefined) fail(missing)
  const lock = hashOf('package-lock.json')
  const stamp = readStamp()
  if (stamp?.lock === lock && (stamp.scope === 'full' || stamp.scope === scope)) return
  // A checkout with test tools keeps them: a start after a changed lock file must not remove them.
  const wanted = isFullyInstalled() ? 'full' : scope
  const what = wanted === 'run' ? 'what running needs' : 'everything'
  process.stderr.write(`Installing dependencies (${what}) …\n`)
  const result = runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error', ...ARGUMENTS[wanted]])
  if (result !== 0) fail(`npm ci failed with exit code ${result}; the lines above say why.`)
  writeFileSync(STAMP, JSON.stringify({ lock, scope: wanted }))
}

/**
 * The pinned Node 24 of this checkout. On platforms without a pinned one, the system's Node if it is new
 * enough.
 */
export function nodePath() {
  const pinned = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(pinned)) return pinned
  if (isNewEnough(process.versions.node)) return process.execPath
  const { platform, arch, versions } = process
  return fail(
    explainMissingNode({ platform, arch, version: versions.node }) ??
      `The pinned Node is missing in node_modules: run npm ci and start again.`,
  )
}

/**
 * What to do on a platform without a pinned Node and with one that is too old; known before anything is installed.
 * @param {{ platform: string, arch: string, version: string }} machine
 */
export function explainMissingNode({ platform, arch, version }) {
  if (PINNED.has(`${platform}-${arch}`) || isNewEnough(version)) return undefined
  const needed = NODE_MIN.join('.')
  const how =
    platform === 'darwin'
      ? `run "brew install node@${NODE_MIN[0]} && brew link --overwrite node@${NODE_MIN[0]}", or take the installer of https://nodejs.org`
      : 'see https://nodejs.org'
  return `Tollgate needs Node ${needed} or newer, and this is Node ${version}; npm has none to install for ${platform}-${arch}. Install it (${how}), and start again.`
}

/** @param {string} version */
function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
}

/**
 * Prints one line and exits with an error.
 * @param {string} line
 * @returns {never}
 */
export function fail(line) {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** @param {string} file */
export function hashOf(file) {
  return createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')
}

/**
 * Runs npm with the Node that is running npm already, because a fresh installation does not replace that one.
 * @param {string[]} args
 */
function runNpm(args) {
  const cli = process.env['npm_execpath']
  const command = cli ? (process.env['npm_node_execpath'] ?? process.execPath) : 'npm'
  const result = spawnSync(command, cli ? [cli, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: !cli && process.platform === 'win32',
  })
  if (result.error) fail(`npm could not be started: ${result.error.message}`)
  return result.status ?? 1
}

function isFullyInstalled() {
  return existsSync(join(root, 'node_modules', 'vitest'))
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'))
  } catch {
    return undefined
  }
}
