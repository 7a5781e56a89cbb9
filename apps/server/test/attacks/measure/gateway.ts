import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { routes } from '@tollgate/contract/routes'
import { accountId } from '@tollgate/ledger/account'
import { startServer } from '../../../src/app/index.ts'
import { readConfig } from '../../../src/config/index.ts'
import { PASSWORD, ROOT, Visitor } from '../../harness.ts'
import { startProgram, type Program } from '../../nodes/program.ts'

/** A gateway in a process of its own with three accounts, in front of an upstream with realistic delays. */
export interface MeasuredGateway {
  readonly address: string
  readonly keys: Readonly<Record<'ordinary' | 'without balance' | 'with cents', string>>
  isAlive(): boolean
  printed(): string
  /** Peak memory in bytes, and the longest event loop delay, since the last call. */
  peak(): Promise<Peak>
  close(): Promise<void>
}

export interface Peak {
  readonly peakBytes: number
  readonly peakRss: number
  readonly longestMs: number
}

const FRAMES = 40
const FRAME_MS = 25
const SLOW_MS = 1_000
const QUOTAS = { ordinary: 10_000_000_000n, 'without balance': 0n, 'with cents': 5_000n } as const

export async function openMeasuredGateway(): Promise<MeasuredGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-measure-'))
  const upstream = await openUpstream()
  const sqlitePath = join(folder, 'tollgate.db')
  const keys = await prepared(sqlitePath, upstream.url)
  const samples = join(folder, 'samples.json')
  const program = await startProgram(folder, {
    SQLITE_PATH: sqlitePath,
    LOG_LEVEL: 'error',
    TOLLGATE_SAMPLES: samples,
    NODE_OPTIONS: `--expose-gc --import ${pathToFileURL(join(import.meta.dirname, 'sampler.ts')).href}`,
  })
  return {
    address: program.address,
    keys,
    isAlive: () => program.child.exitCode === null && program.child.signalCode === null,
    printed: () => program.printed(),
    peak: () => peakOf(program, samples),
    close: async () => {
      program.child.kill('SIGKILL')
      await program.ended
      upstream.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function peakOf({ child }: Program, path: string): Promise<Peak> {
  rmSync(path, { force: true })
  child.kill('SIGUSR2')
  for (;;) {
    await sleep(20)
    try {
      const { peakBytes, peakRss, longestMs }: Peak = JSON.parse(readFileSync(path, 'utf8'))
      return { peakBytes, peakRss, longestMs }
    } catch {
      // Not written yet.
    }
  }
}

/** Prepares the SQLite file from this process: channels, accounts and their balances. */
async function prepared(sqlitePath: string, url: string): Promise<MeasuredGateway['keys']> {
  const server = await startServer(
    readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      SESSION_SECRET: 'session secret of the tests',
      CRYPTO_SECRET: 'crypto secret of the tests',
      EGRESS_ALLOW: '127.0.0.1',
      CRITICAL_RATE_LIMIT: '1000000',
      LOG_LEVEL: 'silent',
      SQLITE_PATH: sqlitePath,
    }),
  )
  try {
    const root = new Visitor(server.address)
    const { username, password } = ROOT
    await root.call(routes.setup.run, { body: { username, password, confirmPassword: password } })
    await root.signIn(ROOT)
    for (const body of channelsTo(url)) await root.call(routes.channel.create, { body })
    for (const [key, value] of Object.entries(OPTIONS))
      await root.call(routes.option.update, { body: { key, value } })
    const made: [string, string][] = []
    for (const [name, quota] of Object.entries(QUOTAS)) made.push([name, await account(server, name, quota)])
    const byName = new Map(made)
    const keyOf = (name: string) => byName.get(name) ?? ''
    return {
      ordinary: keyOf('ordinary'),
      'without balance': keyOf('without balance'),
      'with cents': keyOf('with cents'),
    }
  } finally {
    await server.close({ drainMs: 0 })
  }
}

const OPTIONS = {
  ModelPrice: '{"doubao-seedance":0.1,"mj_imagine":0.1}',
  MjModeClearEnabled: 'true',
}

function channelsTo(url: string) {
  const common = { key: 'sk-upstream-key', base_url: url, group: 'default' }
  return [
    { ...common, type: 1, name: 'chat', models: 'gpt-4o', param_override: '{"temperature":0.5}' },
    { ...common, type: 2, name: 'drawings', models: 'mj_imagine' },
    { ...common, type: 54, name: 'videos', models: 'doubao-seedance' },
  ]
}

async function account(
  server: Awaited<ReturnType<typeof startServer>>,
  name: string,
  quota: bigint,
): Promise<string> {
  const visitor = new Visitor(server.address)
  const username = name.replaceAll(' ', '').slice(0, 12)
  await visitor.call(routes.session.register, { body: { username, password: PASSWORD } })
  const { id } = await visitor.signIn({ username, password: PASSWORD })
  if (quota > 0n) {
    const owned = accountId('user', id)
    await server.ledger.adjust({ key: `measure:${id}`, account: owned, delta: quota })
  }
  const { key } = await visitor.call(routes.token.create, { body: { name, unlimited_quota: true } })
  return key.startsWith('sk-') ? key : `sk-${key}`
}

/** Streams are sent with pauses between the events; whole responses are sent after a delay. */
async function openUpstream() {
  const server = createServer((request, response) => {
    request.resume()
    response.on('error', () => undefined)
    request.on('end', () => void answer(request.headers['accept'] === 'text/event-stream', response))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }

async function answer(isStream: boolean, response: ServerResponse): Promise<void> {
  if (!isStream) {
    await sleep(SLOW_MS)
    const message = { role: 'assistant', content: 'hi' }
    const body = {
      id: 'a',
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let each = 0; each < FRAMES; each++) {
    response.write(
      `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content: 'hi ' } }] })}\n\n`,
    )
    await sleep(FRAME_MS)
  }
  const last = { id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }
  response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`)
}
