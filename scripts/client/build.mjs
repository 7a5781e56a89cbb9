// Builds the package `@tollgate/client`: one module with the routes of the admin API, and its types.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative, sep } from 'node:path'
import { nodePath, root } from '../install.mjs'

const ENTRY = 'packages/contract/src/published/index.ts'
/** A declaration of a package of ours, by the name under which it is imported. */
const OWN_IMPORT = /from '@tollgate\/([\w-]+)\/([\w/-]+)'/g
const SOURCE_IMPORT = /((?:from|import\()\s*['"]\.[^'"]*)\.ts(['"])/g

/** @param {string} folder where the package will be; it is emptied */
export async function buildClient(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await bundleModule(folder)
  writeTypes(join(folder, 'types'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(root, 'docs/guides/client.md'), join(folder, 'README.md'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
}

async function bundleModule(folder) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: root,
    entryPoints: { index: join(root, ENTRY) },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['zod'],
    logLevel: 'warning',
  })
}

/** The compiler writes a declaration for each source; the imports between them get the names of packages. */
function writeTypes(folder) {
  const place = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  const options = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: folder,
      rootDir: join(root, 'packages'),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [join(root, ENTRY)],
  }
  try {
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(options))
    execFileSync(nodePath(), [join(root, 'node_modules/typescript/bin/tsc'), '-p', place], {
      stdio: 'inherit',
    })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  for (const name of globSync('**/*.d.ts', { cwd: folder })) {
    const file = join(folder, name)
    writeFileSync(file, withPackageImports(readFileSync(file, 'utf8'), name.split(sep).join('/')))
  }
}

function withPackageImports(text, name) {
  return text
    .replaceAll(OWN_IMPORT, (_whole, owner, module) => {
      const path = posix.relative(posix.dirname(name), `${owner}/src/${module}.js`)
      return `from '${path.startsWith('.') ? path : `./${path}`}'`
    })
    .replaceAll(SOURCE_IMPORT, '$1.js$2')
}

function manifest() {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/contract/package.json'), 'utf8'))
  const types = relative('packages', dirname(ENTRY)).split(sep).join('/')
  return {
    name: '@tollgate/client',
    version,
    description: 'Typed client for the admin API of Tollgate, and its webhook signatures',
    license,
    type: 'module',
    exports: { '.': { types: `./types/${types}/index.d.ts`, default: './index.js' } },
    dependencies: { zod: dependencies.zod },
    engines: { node: '>=20' },
  }
}
