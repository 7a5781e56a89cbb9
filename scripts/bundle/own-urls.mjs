// Sources name files beside them as `new URL('./worker.ts', import.meta.url)`: worker threads, and the built
// console. In the bundle these files have other places.
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from '../install.mjs'

const OWN_URL = /new URL\(\s*'(\.[^']*)',\s*import\.meta\.url,?\s*\)/g
/** Beside these, a source may not depend on the folder that it lies in. */
const OWN_FOLDER = /import\.meta\.(?:dirname|filename)|\b__dirname\b/

/**
 * Every thread is an entry point of its own.
 * @type {Readonly<Record<string, string>>} source, relative to the repository, by name in the bundle
 */
export const threads = {
  'sqlite-thread': 'packages/store/src/sqlite/worker.ts',
  'checkpoint-thread': 'packages/store/src/sqlite/checkpoint-thread.ts',
  'ledger-thread': 'packages/ledger/src/sqlite/remote.ts',
  'audit-thread': 'packages/ledger/src/sqlite/audit-remote.ts',
  'body-thread': 'apps/server/src/relay/threads/body-thread.ts',
  'bcrypt-thread': 'apps/server/src/services/session/bcrypt-thread.ts',
}

const places = new Map([
  ...Object.entries(threads).map(([name, source]) => [source, `./${name}.js`]),
  ['apps/console/dist', '../console'],
  ['apps/server/src/program.ts', './program.js'],
])

const ZOD = /^import \{ z \} from 'zod'$/m

/** @type {import('esbuild').Plugin} */
export const ownUrls = {
  name: 'own-urls',
  setup(build) {
    build.onLoad(
      { filter: /[/\\](?:apps[/\\]server|packages[/\\][^/\\]+)[/\\]src[/\\].*\.ts$/ },
      async ({ path }) => {
        const text = await readFile(path, 'utf8')
        return { contents: withOwnPlaces(text, path).replace(ZOD, "import * as z from 'zod'"), loader: 'ts' }
      },
    )
  },
}

function withOwnPlaces(text, path) {
  const moved = text.replaceAll(OWN_URL, (_match, target) => {
    const source = relative(root, resolve(dirname(path), target)).replaceAll('\\', '/')
    const place = places.get(source)
    if (place === undefined)
      throw new Error(`${source} has no place in the bundle: see scripts/bundle/own-urls.mjs`)
    return `new URL('${place}', import.meta.url)`
  })
  if (OWN_FOLDER.test(moved))
    throw new Error(
      `${relative(root, path)}: name files as new URL('./…', import.meta.url), so that the bundle can move them`,
    )
  return moved
}

/** Absolute path of a thread's source. */
export const sourceOf = (name) => join(root, threads[name])
