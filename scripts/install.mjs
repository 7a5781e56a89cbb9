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
const REQUIRED_MAJOR = 24

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
  if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) return process.execPath
  return fail(
    `Tollgate needs Node ${REQUIRED_MAJOR}. npm has no pinned runtime for ${process.platform}-${process.arch}; ` +
      `this is Node ${process.versions.node}. Install Node ${REQUIRED_MAJOR} and start again.`,
  )
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
