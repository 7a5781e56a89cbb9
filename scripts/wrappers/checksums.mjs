import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'SHA256SUMS'

/** In the format of `sha256sum --check`. */
export function writeChecksums(folder) {
  const names = readdirSync(folder)
    .filter((name) => !name.startsWith(NAME))
    .sort()
  const lines = names.map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`)
  writeFileSync(join(folder, NAME), lines.join(''))
  return join(folder, NAME)
}

function sha256(content) {
  return createHash('sha256').update(content).digest('hex')
}

/**
 * Signs the checksums, which cover every file. A key with a password asks for it on the terminal.
 * @param {string} folder
 * @param {{ key: string | undefined, version: string }} how `key`: file of a minisign secret key
 * @returns {string | undefined} path of the signature; nothing without a key
 */
export function signRelease(folder, { key, version }) {
  if (!key) return undefined
  const path = join(folder, `${NAME}.minisig`)
  const comment = `tollgate ${version}`
  const args = ['-S', '-s', key, '-m', join(folder, NAME), '-x', path, '-t', comment, '-c', comment]
  const { status, error } = spawnSync('minisign', args, { stdio: ['inherit', 'ignore', 'inherit'] })
  if (error || status !== 0)
    throw new Error(`minisign could not sign: ${error?.message ?? `it ended with ${status}`}`)
  return path
}
