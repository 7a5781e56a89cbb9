// The text files of the repository: code, tests and documents, without what is generated or recorded.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../install.mjs'

const LEFT_OUT = new Set(['node_modules', 'dist', 'data', 'fixtures', 'recordings', '.git', '.cache'])
const TEXT = /\.(?:tsx?|mjs|md|css|html|ya?ml)$/

/** @typedef {{ path: string, text: string }} TextFile path relative to the repository */

/** @returns {Generator<TextFile>} */
export function* textFiles(folder = '') {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) yield* textFiles(path)
    else if (entry.isFile() && TEXT.test(entry.name))
      yield { path, text: readFileSync(join(root, path), 'utf8') }
  }
}
