// `npm run site`: builds the documentation site into `site/dist`. `-- --serve` shows it while you write. VitePress
// is installed into `site` the first time; afterwards nothing needs the network.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ensureInstalled, fail, hashOf, nodePath, root } from '../install.mjs'

const site = join(root, 'site')
const stamp = join(site, 'node_modules', '.tollgate-install')

ensureInstalled('full')
await ensureVitePress()
await run(nodePath(), [join(root, 'scripts/site/prepare.mjs')])
const verb = process.argv.includes('--serve') ? 'dev' : 'build'
await run(nodePath(), [join(site, 'node_modules/vitepress/bin/vitepress.js'), verb, site])

async function ensureVitePress() {
  const lock = hashOf('site/package-lock.json')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  process.stderr.write('Installing VitePress …\n')
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], site)
  writeFileSync(stamp, lock)
}

function run(command, args, cwd = root) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
    child.on('error', (error) => fail(`${command} could not be started: ${error.message}`))
    child.on('exit', (code) => (code === 0 ? resolve() : fail(`${command} ended with ${code}`)))
  })
}
