// Finds a Chromium for the browser tests; on Debian, as root, installs one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** @returns {string | undefined} path of the browser, or `undefined` when none is available */
export function ensureBrowser() {
  const found = process.env['TOLLGATE_BROWSER'] ?? CANDIDATES.find((path) => existsSync(path))
  if (found) return found
  const canInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (!canInstall) return undefined
  process.stdout.write('Installing Chromium for the browser tests …\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore', env })
  spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'], {
    stdio: 'ignore',
    env,
  })
  return CANDIDATES.find((path) => existsSync(path))
}
