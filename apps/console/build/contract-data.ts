import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const CONTRACT_FILE = /[\\/]packages[\\/]contract[\\/]src[\\/].+\.ts$/
/**
 * This query suffix marks the import of the original module; without it, an import gets only the module's
 * data.
 */
const ORIGINAL_MODULE = '?as-written'

/**
 * Leaves the schemas of the contract out of the console's bundle. The server validates with them; the client
 * only needs the method and path of a call, so routes and constants become plain data. Functions and schemas
 * are imported from the original module, which a page loads only if it uses one.
 */
export function contractData(): Plugin {
  return {
    name: 'tollgate:contract-data',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      const file = id.replace(ORIGINAL_MODULE, '')
      if (!CONTRACT_FILE.test(file)) return undefined
      if (id !== file) return { code: readFileSync(file, 'utf8'), moduleType: 'ts', moduleSideEffects: false }
      this.addWatchFile(file)
      const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href)
      return {
        code: dataModule(exported, file + ORIGINAL_MODULE),
        moduleType: 'js',
        moduleSideEffects: false,
      }
    },
  }
}

/** Source of a module with the same exports, where data replaces the routes and constants. */
function dataModule(exported: Readonly<Record<string, unknown>>, asWritten: string): string {
  const lines = Object.entries(exported).map(([name, value]) => {
    const data = routesIn(value) ?? value
    return isData(data)
      ? `export const ${name} = ${JSON.stringify(data)}`
      : `export { ${name} } from ${JSON.stringify(asWritten)}`
  })
  return lines.join('\n')
}

/** Reduces routes to the members that the client reads; `undefined` if the value is not a set of routes. */
function routesIn(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const routes = Object.entries(value)
  if (routes.length === 0 || !routes.every(([, route]) => isRoute(route))) return undefined
  return Object.fromEntries(
    routes.map(([name, { method, path, envelope }]) => [name, { method, path, envelope }]),
  )
}

function isRoute(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}

/** Whether JSON can represent the value without loss. */
function isData(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return ['string', 'boolean'].includes(typeof value)
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return isPlain && Object.values(value).every((member) => member === undefined || isData(member))
}
