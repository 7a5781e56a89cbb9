import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { root } from '../install.mjs'

/**
 * What stands against a release, looked at before the tests run for half an hour.
 * @param {{ options: readonly string[], env: Record<string, string | undefined>, platform?: string, from?: string }} surroundings
 *   `options`: the arguments of the program; `from`: the checkout
 * @returns {string | undefined} one line
 */
export function obstacleTo({ options, env, platform = process.platform, from = root }) {
  const unknown = options.find((option) => option !== '--skip-tests')
  if (unknown !== undefined) return `${unknown} is no option; --skip-tests is the only one.`
  const epoch = env['SOURCE_DATE_EPOCH']
  if (epoch !== undefined && !/^\d{1,10}$/.test(epoch))
    return `SOURCE_DATE_EPOCH=${epoch} is no time in seconds since 1970.`
  return changesIn(from) ?? missingTool(env, platform) ?? wrongKey(env['MINISIGN_KEY'])
}

/** Sources without a repository, such as those of a downloaded archive, are taken as they are. */
function changesIn(from) {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: from, encoding: 'utf8' })
  if (status !== 0 || stdout === '') return undefined
  const [first, ...others] = stdout.trimEnd().split('\n')
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `A release is made of a commit: ${first.slice(3)}${more} changed. Commit or stash first.`
}

function missingTool(env, platform) {
  const wanted = { 'dpkg-deb': platform === 'linux', minisign: Boolean(env['MINISIGN_KEY']) }
  const [missing] = Object.keys(wanted).filter(
    (tool) => wanted[tool] && spawnSync(tool, ['--version'], { stdio: 'ignore', env }).error,
  )
  return (
    missing && `${missing} is missing (Debian: apt-get install ${missing === 'minisign' ? missing : 'dpkg'}).`
  )
}

function wrongKey(key) {
  if (!key) return undefined
  if (!existsSync(key)) return `MINISIGN_KEY=${key} names no file.`
  return /^untrusted comment: .*\n[A-Za-z0-9+/=]+\s*$/.test(readFileSync(key, 'utf8'))
    ? undefined
    : `MINISIGN_KEY=${key} is no secret key of minisign.`
}
