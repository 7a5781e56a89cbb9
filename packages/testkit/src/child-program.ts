import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/**
 * The file that a child process runs: its bundle in the folder that `TOLLGATE_TEST_CHILDREN` names, which starts in a
 * fraction of the time, or else its source. `scripts/bundle/test-children.mjs` has the list.
 */
export function childProgram(source: URL): string {
  const folder = process.env['TOLLGATE_TEST_CHILDREN']
  const path = fileURLToPath(source)
  return folder === undefined ? path : join(folder, `${basename(path, '.ts')}.js`)
}
