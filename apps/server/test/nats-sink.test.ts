import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEgress } from '@tollgate/egress/open-egress'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNats } from '../src/jobs/sinks/nats-client.ts'
import { natsSink } from '../src/jobs/sinks/nats-sink.ts'
import type { LogSinkRow } from '../src/jobs/sinks/sink.ts'

/** The sink against a real `nats-server` with a stream, started on a free port. */

const egress = openEgress({ allowedAddresses: ['127.0.0.1'] })
const user = { user: 'gateway', password: 'a password' }
const signal = new AbortController().signal

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-nats-'))
const port = await freePort()
const address = `nats://127.0.0.1:${port}`
const server = await startServer()

/** `undefined` where the program is not installed. */
async function startServer(): Promise<ChildProcess | undefined> {
  const args = [
    '-js',
    '-sd',
    folder,
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    '--user',
    user.user,
    '--pass',
    user.password,
  ]
  const child = spawn('nats-server', args, { stdio: 'ignore' })
  const isStarted = await Promise.race([
    once(child, 'spawn').then(() => true),
    once(child, 'error').then(() => false),
  ])
  if (isStarted) return child
  process.stderr.write(
    '\n!!! no nats-server here (Debian: apt-get install nats-server): its tests are SKIPPED\n\n',
  )
  return undefined
}

async function untilItAnswers(): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      const connection = await openNats({ address, ...user }, egress)
      connection.close()
      return
    } catch (error) {
      if (attempt === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

describe.skipIf(server === undefined)('the sink for NATS', () => {
  beforeAll(async () => {
    await untilItAnswers()
  })
  afterAll(async () => {
    const ended = server && once(server, 'exit')
    server?.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sink only reads the id and prints the rest
  const rows = [1, 2, 3].map((id) => ({
    id,
    request_id: `r${id}`,
    quota: 5n,
  })) as unknown as readonly LogSinkRow[]

  it('without a stream the failure says what is missing', async () => {
    const sink = natsSink({ address, ...user, subject: 'tollgate.calls' }, egress)
    await expect(sink.send(rows, signal)).rejects.toThrow('a stream must cover it')
  })

  it('each row is stored once by the stream, also when it is sent again', async () => {
    const connection = await openNats({ address, ...user }, egress)
    const ask = async (name: string, body: object) =>
      JSON.parse(await connection.request(`$JS.API.STREAM.${name}`, JSON.stringify(body)))
    await ask('CREATE.CALLS', { name: 'CALLS', subjects: ['tollgate.>'], storage: 'file' })
    const sink = natsSink({ address, ...user, subject: 'tollgate.calls' }, egress)
    await sink.send(rows, signal)
    await sink.send(rows, signal)
    expect((await ask('INFO.CALLS', {})).state.messages).toBe(3)
    const { message } = await ask('MSG.GET.CALLS', { seq: 2 })
    const stored = JSON.parse(Buffer.from(message.data, 'base64').toString())
    expect(stored).toEqual({ id: 2, request_id: 'r2', quota: '5' })
    connection.close()
  })

  it('a wrong password and a server that is not there are named in one line', async () => {
    const wrong = natsSink({ address, ...user, password: 'wrong', subject: 's' }, egress)
    await expect(wrong.send(rows, signal)).rejects.toThrow('Authorization Violation')
    const nowhere = natsSink({ address: 'nats://127.0.0.1:9', ...user, subject: 's' }, egress)
    await expect(nowhere.send(rows, signal)).rejects.toThrow('NATS did not take the usage log')
  })
})
