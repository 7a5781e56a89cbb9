// Builds `dist/`: the program, its threads and the console as plain JavaScript that needs nothing but Node.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../install.mjs'
import { licencesOf } from './licences.mjs'
import { ownUrls, sourceOf, threads } from './own-urls.mjs'
import { copySwaggerUi, swaggerUi } from './swagger-ui.mjs'

export const dist = join(root, 'dist')
/** Run it with Node: `node dist/bin/tollgate.mjs start`. */
export const bundledProgram = join(dist, 'bin', 'tollgate.mjs')

/** Packages that other packages load if they are there; nobody needs them. */
const OPTIONAL = ['pg-native']

/** CommonJS packages expect these three names. */
const BANNER = `import { createRequire as bundleRequire } from 'node:module'
const require = bundleRequire(import.meta.url), bundleFolder = import.meta.dirname, bundleFile = import.meta.filename`

/** @param {{ hasSourceMaps?: boolean }} [options] */
export async function buildBundle({ hasSourceMaps = false } = {}) {
  const program = join(dist, 'program')
  rmSync(dist, { recursive: true, force: true })
  mkdirSync(program, { recursive: true })
  const { inputs, files } = await bundleProgram(program, { hasSourceMaps })
  for (const { path, text } of files) writeFileSync(path, path.endsWith('.js') ? inAscii(text) : text)
  copySwaggerUi(program)
  copyConsole(join(root, 'apps/console/dist'), join(dist, 'console'))
  cpSync(join(root, 'scripts/bundle/tollgate.mjs'), bundledProgram)
  chmodSync(bundledProgram, 0o755)
  writeFileSync(join(dist, 'LICENSES'), licencesOf(inputs))
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) cpSync(join(root, file), join(dist, file))
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
}

/** Without hidden files: the note of the last build depends on the checkout. */
export function copyConsole(from, to) {
  cpSync(from, to, { recursive: true, filter: (path) => !basename(path).startsWith('.') })
}

/**
 * Bundles in memory. `inputs` are the bundled files; `outputs` is esbuild's description of the files it made.
 * @param {string} folder where the files will be
 */
export function bundleProgram(folder, { hasSourceMaps = false } = {}) {
  const entryPoints = {
    program: join(root, 'apps/server/src/program.ts'),
    ...Object.fromEntries(Object.keys(threads).map((name) => [name, sourceOf(name)])),
  }
  return bundleEntries(folder, { entryPoints, hasSourceMaps })
}

/**
 * @param {string} folder where the files will be
 * @param {{ entryPoints: Readonly<Record<string, string>>, hasSourceMaps?: boolean }} options sources by the names
 * of their bundles
 */
export async function bundleEntries(folder, { entryPoints, hasSourceMaps = false }) {
  const { build } = await import('esbuild')
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24.7',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: hasSourceMaps,
    external: OPTIONAL,
    define: { __dirname: 'bundleFolder', __filename: 'bundleFile' },
    banner: { js: BANNER },
    plugins: [ownUrls, swaggerUi],
    write: false,
    metafile: true,
    logLevel: 'warning',
  })
  return { inputs: Object.keys(metafile.inputs), outputs: metafile.outputs, files: outputFiles }
}

/**
 * V8 keeps a source in memory, with two bytes for each character as soon as one of them is not in Latin-1.
 * esbuild escapes such characters everywhere but in regular expressions.
 */
function inAscii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function manifest() {
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { tollgate: 'bin/tollgate.mjs' },
    engines: { node: '>=24.7' },
  }
}
