// The Node that the Debian package and the single program carry: the one that npm has pinned for this platform.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { root } from '../install.mjs'

const require = createRequire(join(root, 'package.json'))

/** @returns {{ program: string, licence: string, version: string }} */
export function pinnedRuntime() {
  const manifest = require.resolve(`node-${process.platform}-${process.arch}/package.json`)
  return {
    program: join(dirname(manifest), 'bin', 'node'),
    licence: join(dirname(manifest), 'LICENSE'),
    version: require(manifest).version,
  }
}
