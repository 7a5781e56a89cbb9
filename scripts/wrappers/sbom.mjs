import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { nodePath, root } from '../install.mjs'
import { tool } from '../steps.mjs'

/** What is in the release, in the format of CycloneDX: every package that the program is built from, with its licence. */
export function writeSbom({ folder, version, epoch }) {
  const path = join(folder, `tollgate-${version}.cdx.json`)
  const args = tool(
    '@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js',
    '--omit',
    'dev',
    '--output-reproducible',
    '--ignore-npm-errors',
    '--package-lock-only',
    '--mc-type',
    'application',
    '--output-format',
    'JSON',
    '--output-file',
    path,
  )
  const { status, stderr } = spawnSync(nodePath(), args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
  })
  if (status !== 0) throw new Error(`cyclonedx-npm failed: ${stderr}`)
  return path
}
