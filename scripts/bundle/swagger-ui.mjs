// The page at /docs consists of files that its package reads from its own folder.
import { cpSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../install.mjs'

const PACKAGE = join(root, 'node_modules/@fastify/swagger-ui')
const PATHS = ["path.join(__dirname, './static/logo.svg')", "path.join(__dirname, '..', 'static')"]
const PLACES = ["path.join(__dirname, './swagger-ui/logo.svg')", "path.join(__dirname, './swagger-ui')"]

/** @type {import('esbuild').Plugin} */
export const swaggerUi = {
  name: 'swagger-ui',
  setup(build) {
    build.onLoad(
      { filter: /@fastify[/\\]swagger-ui[/\\](?:index|lib[/\\]routes)\.js$/ },
      async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const index = PATHS.findIndex((each) => text.includes(each))
        if (index < 0)
          throw new Error(`${path} reads its files in another way now: see scripts/bundle/swagger-ui.mjs`)
        return { contents: text.replace(PATHS[index], PLACES[index]), loader: 'js' }
      },
    )
  },
}

/** @param {string} folder where the program is */
export function copySwaggerUi(folder) {
  cpSync(join(PACKAGE, 'static'), join(folder, 'swagger-ui'), { recursive: true })
}
