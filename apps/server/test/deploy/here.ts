import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** What this machine offers to the tests of `npm run test:deploy`. */

/** Named with its folder, because the environment of what runs in it has another PATH. */
export const CHROOT = '/usr/sbin/chroot'
export const ROOT = join(import.meta.dirname, '../../../..')

const absent = new Set((process.env['TOLLGATE_ABSENT'] ?? '').split(' '))

/** `root` stands for the rights of root. */
export function isHere(...names: readonly string[]): boolean {
  return names.every((name) => !absent.has(name))
}

/** The wrapper that `npm run test:deploy` has built, by the end of its name; `undefined` where it could not. */
export function builtWrapper(suffix: string): string | undefined {
  const folder = process.env['TOLLGATE_WRAPPERS'] ?? join(ROOT, 'release')
  const name = existsSync(folder) ? readdirSync(folder).find((one) => one.endsWith(suffix)) : undefined
  return name === undefined ? undefined : join(folder, name)
}

/** Runs a program until it ends and returns what it printed; throws when it fails. */
export function runHere(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr } = spawnSync(file, [...args], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
  return stdout + stderr
}

/** The smallest Debian that the wrappers run on, as an archive of its files. It is made once for each checkout. */
export function debianArchive(): string {
  const folder = join(ROOT, 'node_modules/.cache/deploy')
  const archive = join(folder, 'debian.tar')
  if (existsSync(archive)) return archive
  mkdirSync(folder, { recursive: true })
  const draft = join(folder, 'debian.part.tar')
  runHere('mmdebstrap', ['--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', draft])
  renameSync(draft, archive)
  return archive
}
