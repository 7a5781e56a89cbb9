import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { dist } from '../bundle/build.mjs'

/** npm gives every file in a package the same time, so that the same files give the same bytes. */
export function packNpm(folder, from = dist) {
  const cli = process.env['npm_execpath']
  const args = ['pack', from, '--silent', '--pack-destination', folder]
  const { status, stdout, stderr } = cli
    ? spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' })
    : spawnSync('npm', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  return join(folder, stdout.trim())
}
