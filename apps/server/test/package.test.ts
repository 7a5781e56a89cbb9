import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, useInstalled } from './installed-program.ts'

/** The npm package: packed, installed into an empty folder and used there as an operator uses it. */

const ROOT = join(import.meta.dirname, '../../..')
let folder: string
let program: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-package-'))
  const tarball = join(folder, npm(['pack', builtBundle(), '--silent', '--pack-destination', folder]).trim())
  const place = join(folder, 'installed')
  mkdirSync(place)
  npm(['install', '--prefix', place, '--offline', '--no-audit', '--no-fund', '--silent', tarball])
  program = join(place, 'node_modules/.bin/tollgate')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** `npm test` has built the bundle; a single test builds it itself. */
function builtBundle(): string {
  const built = process.env['TOLLGATE_PROGRAM']
  if (built === undefined)
    execFileSync(process.execPath, [join(ROOT, 'scripts/bundle/index.mjs')], { cwd: ROOT })
  return built === undefined ? join(ROOT, 'dist') : dirname(dirname(built))
}

function npm(args: readonly string[]): string {
  const cli = process.env['npm_execpath']
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }
  return cli === undefined
    ? execFileSync('npm', args, options)
    : execFileSync(process.execPath, [cli, ...args], options)
}

function folderOf(site: Site): string {
  mkdirSync(join(folder, site), { recursive: true })
  return join(folder, site)
}

test('the packed program bills a call, and its backup is restored and used in another folder', async () => {
  await useInstalled({
    command: (args, site) => ({
      file: process.execPath,
      args: [program, ...args],
      cwd: folderOf(site),
      env: {},
    }),
    path: (site, name) => join(folderOf(site), name === 'secrets.json' ? 'data' : '.', name),
  })
})

test('the package has no dependencies, and the licences of what it contains', () => {
  const installed = readdirSync(join(folder, 'installed/node_modules')).filter(
    (name) => !name.startsWith('.'),
  )
  expect(installed).toEqual(['tollgate'])
  const place = join(folder, 'installed/node_modules/tollgate')
  for (const file of ['LICENSE', 'LICENSES', 'console/licences.md', 'README.md'])
    expect(existsSync(join(place, file)), file).toBe(true)
})

test.each(['20.19.4', '24.6.0'])('Node %s is refused with one line', (version) => {
  const pretend = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${version}'}})`
  let errors = ''
  try {
    execFileSync(process.execPath, ['--import', pretend, program], { stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    errors = String(Object(error).stderr)
  }
  expect(errors).toBe(`Tollgate needs Node 24.7 or newer; this is Node ${version}.\n`)
})
