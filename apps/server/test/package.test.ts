import { type ExecFileSyncOptionsWithStringEncoding, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Visitor } from './harness.ts'
import { addChannel, relayCall } from './nodes/operator.ts'

/** The npm package: packed, installed into an empty folder and used there as an operator uses it. */

const ROOT = join(import.meta.dirname, '../../..')
const PASSWORD = 'a long password 1'
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

interface Run {
  readonly cwd: string
  readonly input?: string
}

function launch(args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', HOST: '127.0.0.1', EGRESS_ALLOW: '127.0.0.1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'close')
  return { child, ended, printed: () => text }
}

async function run(args: readonly string[], { cwd, input = '' }: Run): Promise<string> {
  const { child, ended, printed } = launch(args, cwd)
  child.stdin.end(input)
  await ended
  expect(child.exitCode, `${args.join(' ')}: ${printed()}`).toBe(0)
  return printed()
}

/** Starts the gateway without naming the command, as `npx tollgate` does. */
async function start(cwd: string) {
  const started = launch([], cwd)
  await expect.poll(() => started.printed()).toMatch(/Tollgate is ready at \S+\n/)
  const [, address = ''] = /Tollgate is ready at (\S+)/.exec(started.printed()) ?? []
  const stop = async () => {
    started.child.kill('SIGTERM')
    await started.ended
    expect(started.child.exitCode).toBe(0)
  }
  return { address, stop }
}

test('the packed program bills a call, and its backup is restored and used in another folder', async () => {
  const first = join(folder, 'first')
  const second = join(folder, 'second')
  mkdirSync(first)
  mkdirSync(second)
  const upstream = await startFakeUpstream()
  await run(['setup', '--username', 'root'], { cwd: first, input: PASSWORD })

  const gateway = await start(first)
  expect(await (await fetch(gateway.address)).text()).toContain('<div id="root">')
  expect((await fetch(`${gateway.address}/docs/static/swagger-ui.css`)).status).toBe(200)
  const root = new Visitor(gateway.address)
  await root.signIn({ username: 'root', password: PASSWORD })
  await addChannel(root, upstream.url)
  const { key } = await root.call(routes.token.create, { body: { name: 'first', unlimited_quota: true } })
  expect((await relayCall({ address: gateway.address, key })).status).toBe(200)
  await gateway.stop()

  const audited = await run(['audit', '--json'], { cwd: first })
  const { totals, findings } = JSON.parse(audited)
  expect(findings).toEqual([])
  expect(Number(totals.users.used)).toBeGreaterThan(0)
  await run(['recompute'], { cwd: first })
  await run(['backup', '--to', 'backup.db'], { cwd: first })

  const backup = join(first, 'backup.db')
  const secrets = join(first, 'data/secrets.json')
  await run(['restore', '--from', backup, '--secrets', secrets], { cwd: second })
  expect(JSON.parse(await run(['audit', '--json'], { cwd: second })).totals).toEqual(totals)
  const again = await start(second)
  expect((await relayCall({ address: again.address, key })).status).toBe(200)
  await again.stop()
  await upstream.close()
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
