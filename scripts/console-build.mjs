// Builds the console when its sources have changed since the last build.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fail, nodePath, root } from './install.mjs'

const CONSOLE = join(root, 'apps', 'console')
const STAMP = join(CONSOLE, 'dist', '.built-from')
const INPUTS = [
  'apps/console/build',
  'apps/console/src',
  'apps/console/public',
  'apps/console/index.html',
  'apps/console/vite.config.ts',
  'packages/contract/src',
  'packages/billing/src',
  'packages/catalogue/src',
  'package-lock.json',
]

/** Runs Vite unless the last build was made from the same files. */
export function ensureConsoleBuilt() {
  const fingerprint = fingerprintOf(INPUTS)
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint) return
  process.stderr.write('Building the console …\n')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const result = spawnSync(nodePath(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: CONSOLE,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (result.status !== 0) fail('The console could not be built; the lines above say why.')
  writeFileSync(STAMP, fingerprint)
}

/**
 * A hash over size and modification time of every input file: fast, and enough to notice an edit or another
 * checkout.
 */
function fingerprintOf(inputs) {
  const hash = createHash('sha256')
  for (const input of inputs) for (const line of describe(join(root, input))) hash.update(line)
  return hash.digest('hex')
}

function* describe(path) {
  if (!existsSync(path)) return
  const stats = statSync(path)
  if (!stats.isDirectory()) {
    yield `${path} ${stats.size} ${stats.mtimeMs}\n`
    return
  }
  for (const name of readdirSync(path).sort()) yield* describe(join(path, name))
}
