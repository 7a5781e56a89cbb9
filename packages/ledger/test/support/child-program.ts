import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The file that a child process runs: its bundle in the folder that `TOLLGATE_TEST_CHILDREN` names, which starts in a
 * fraction of the time, or else its source.
 */
export function childProgram(name: 'load-child' | 'node-child'): string {
  const folder = process.env['TOLLGATE_TEST_CHILDREN']
  return folder === undefined
    ? fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
    : join(folder, `${name}.js`)
}
