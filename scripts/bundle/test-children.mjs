// Bundles the processes that fault tests start and kill many times. From the sources, each start
// takes seconds of CPU time, because a process that is killed leaves nothing in Node's compile cache.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../install.mjs'
import { bundleEntries } from './build.mjs'
import { sourceOf } from './own-urls.mjs'

const folder = join(root, 'node_modules', '.cache', 'test-children')
const CHILDREN = [
  'ledger/test/support/load-child',
  'ledger/test/support/node-child',
  'store/test/support/encrypt-and-die',
]
/** The threads of a ledger. */
const THREADS = ['sqlite-thread', 'checkpoint-thread', 'ledger-thread', 'audit-thread']

/** Returns the folder with one program for each of them, for `TOLLGATE_TEST_CHILDREN`. */
export async function bundleTestChildren() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const entryPoints = Object.fromEntries([
    ...CHILDREN.map((path) => [basename(path), join(root, 'packages', `${path}.ts`)]),
    ...THREADS.map((name) => [name, sourceOf(name)]),
  ])
  const { files } = await bundleEntries(folder, { entryPoints })
  for (const { path, text } of files) writeFileSync(path, text)
  return folder
}
