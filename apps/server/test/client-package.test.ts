import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guideSamples } from './guide-samples.ts'
import { startTestServer, type TestServer } from './harness.ts'

/** The package `@tollgate/client`: packed, installed into an empty folder, and used there as its guide says. */
const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
let folder: string
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ isInMemory: true })
  folder = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  const built = join(folder, 'built')
  await run(process.execPath, [
    '--eval',
    `import(${JSON.stringify(join(ROOT, 'scripts/client/build.mjs'))}).then((m) => m.buildClient(${JSON.stringify(built)}))`,
  ])
  const tarball = (await npm(['pack', built, '--silent', '--pack-destination', folder])).trim()
  // Its only dependency comes from this checkout instead of the registry.
  const zod = join(ROOT, 'node_modules/zod')
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await npm(['install', '--offline', '--no-audit', '--no-fund', '--silent', join(folder, tarball), zod])
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function npm(args: readonly string[]): Promise<string> {
  const cli = process.env['npm_execpath']
  const options = { cwd: folder }
  const { stdout } =
    cli === undefined ? await run('npm', args, options) : await run(process.execPath, [cli, ...args], options)
  return stdout
}

test('the samples of its guide have no type errors', async () => {
  const samples = guideSamples('docs/guides/client.md').filter(({ language }) => language === 'ts')
  expect(samples).toHaveLength(2)
  const files = samples.map(({ code }, index) => {
    const name = `sample-${index}.ts`
    writeFileSync(join(folder, name), code)
    return name
  })
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: unknown) => {
      throw new Error(String(Object(error)['stdout']))
    },
  )
})

test('its first sample creates a token, lists it and reads a refusal', async () => {
  const [sample] = guideSamples('docs/guides/client.md', { runs: true })
  writeFileSync(join(folder, 'run.ts'), sample?.code ?? '')
  const accessToken = await server.root.call(routes.user.resetAccessToken, { body: {} })
  const env = { ...process.env, TOLLGATE_ADDRESS: server.address, TOLLGATE_ACCESS_TOKEN: accessToken }
  const { stdout } = await run(process.execPath, ['run.ts'], { cwd: folder, env })
  const [key = '', ...lines] = stdout.trim().split('\n')
  expect(key).toMatch(/^sk-[0-9A-Za-z]{48}$/)
  expect(lines[0]).toBe('ci 500000')
  expect(lines[1]).toBe('200 not_found Not found')
})
