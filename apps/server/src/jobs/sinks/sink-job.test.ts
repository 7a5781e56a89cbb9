import { createHmac } from 'node:crypto'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { openEgress } from '@tollgate/egress/open-egress'
import { ManualClock } from '@tollgate/kit/clock'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { insertLogRows } from '@tollgate/store/logs/rows'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import { FAKE_S3, startFakeS3 } from '@tollgate/testkit/fake-s3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JobFailure } from '../job.ts'
import { openS3Store } from '../s3/s3-store.ts'
import { langfuseSink } from './langfuse-sink.ts'
import { s3Sink } from './s3-sink.ts'
import type { LogSink, LogSinkRow } from './sink.ts'
import { sinkJob } from './sink-job.ts'
import { webhookSink } from './webhook-sink.ts'

const egress = openEgress({ allowedAddresses: ['127.0.0.1'] })
const signal = new AbortController().signal
const SETTLED_MS = 10_000

const call: UsageLogRow = {
  request_id: null,
  user_id: 1,
  created_at: 1_795_500_000,
  type: 2,
  content: 'not sent',
  username: 'alice',
  token_id: 3,
  token_name: 'token',
  model_name: 'gpt-4o-mini',
  quota: 10n ** 17n,
  prompt_tokens: 5,
  completion_tokens: 7,
  use_time: 1,
  duration_ms: 900,
  first_byte_ms: 100,
  is_stream: 0,
  channel_id: 2,
  group_name: 'default',
  ip: '192.0.2.1',
  other: '{}',
}

let store: Store
let clock: ManualClock
beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
  clock = new ManualClock()
})
afterEach(() => store.close())

const addCalls = (...names: string[]) =>
  insertLogRows(
    store.db,
    names.map((name) => ({ ...call, request_id: name })),
  )

function jobOf(sink: () => LogSink | undefined) {
  return sinkJob({ name: 'log-test', logs: store.db, clock, sink, everyMs: 5_000, rowsAtOnce: 2 })
}

/** Runs the job twice, so that the rows that are there have settled. */
async function settleAndRun(job: ReturnType<typeof jobOf>): Promise<void> {
  await job.run().catch(() => undefined)
  clock.advance(SETTLED_MS)
  await job.run()
}

describe('the job of a receiver', () => {
  it('sends each call from now on once and in order, also over a restart', async () => {
    const names: (string | null)[] = []
    const sink: LogSink = { send: async (rows) => void names.push(...rows.map((row) => row.request_id)) }
    await addCalls('before')
    const job = jobOf(() => sink)
    await settleAndRun(job)
    await addCalls('a', 'b', 'c')
    await settleAndRun(job)
    await addCalls('d')
    await settleAndRun(jobOf(() => sink))
    expect(names).toEqual(['a', 'b', 'c', 'd'])
  })

  it('rows wait while the receiver is down, and it is asked less and less often', async () => {
    let attempts = 0
    let isDown = true
    const names: (string | null)[] = []
    const sink: LogSink = {
      send: async (rows) => {
        attempts++
        if (isDown) throw new JobFailure({ en: 'down', zh: '不可用' })
        names.push(...rows.map((row) => row.request_id))
      },
    }
    const job = jobOf(() => sink)
    await settleAndRun(job)
    await addCalls('a', 'b', 'c')
    await expect(settleAndRun(job)).rejects.toThrow('down')
    for (let time = 0; time < 20; time++) {
      clock.advance(5_000)
      await expect(job.run()).rejects.toThrow('down')
    }
    expect(attempts).toBeLessThan(6)
    isDown = false
    clock.advance(300_000)
    await job.run()
    expect(names).toEqual(['a', 'b', 'c'])
  })

  it('a receiver that was switched off begins anew', async () => {
    const names: (string | null)[] = []
    let sink: LogSink | undefined = {
      send: async (rows) => void names.push(...rows.map((row) => row.request_id)),
    }
    const receiver = sink
    const job = jobOf(() => sink)
    await settleAndRun(job)
    sink = undefined
    await job.run()
    await addCalls('meanwhile')
    sink = receiver
    await settleAndRun(job)
    await addCalls('later')
    await settleAndRun(job)
    expect(names).toEqual(['later'])
  })
})

describe('receivers', () => {
  interface Received {
    readonly path: string
    readonly headers: IncomingHttpHeaders
    readonly body: string
  }
  const received: Received[] = []
  const nothing: Received = { path: '', headers: {}, body: '' }
  let answer = { status: 200, body: '{}' }
  let url: string
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      response.writeHead(answer.status).end(answer.body)
    })
  })
  let rows: LogSinkRow[]
  beforeEach(async () => {
    received.length = 0
    answer = { status: 200, body: '{}' }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    rows = []
    await addCalls('one', 'two')
    const job = jobOf(() => ({ send: async (sent) => void rows.push(...sent) }))
    await settleAndRun(job)
    await addCalls('three', 'four')
    await settleAndRun(job)
  })
  afterEach(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })

  it('a webhook gets signed rows without texts and addresses', async () => {
    await webhookSink({ url: `${url}/rows`, secret: 's' }, egress).send(rows, signal)
    const { body, headers } = received[0] ?? nothing
    expect(JSON.parse(body).rows).toMatchObject([
      { request_id: 'three', quota: '100000000000000000', username: 'alice' },
      { request_id: 'four' },
    ])
    expect(body).not.toMatch(/not sent|192\.0\.2\.1/)
    expect(headers['x-webhook-signature']).toBe(createHmac('sha256', 's').update(body).digest('hex'))
  })

  it.each([
    [404, 'answered 404'],
    [500, 'answered 500'],
  ])('a webhook that answers %s is named in one line', async (status, line) => {
    answer = { status, body: '' }
    const sink = webhookSink({ url, secret: '' }, egress)
    await expect(sink.send(rows, signal)).rejects.toThrow(line)
  })

  it('a private address that is not allowed is named in one line', async () => {
    const sink = webhookSink({ url, secret: '' }, openEgress({ allowedAddresses: [] }))
    await expect(sink.send(rows, signal)).rejects.toThrow(JobFailure)
  })

  it('Langfuse gets a trace and a generation for each call', async () => {
    const settings = { address: url, publicKey: 'pk', secretKey: 'sk' }
    await langfuseSink(settings, egress).send(rows, signal)
    const { path, body, headers } = received[0] ?? nothing
    expect([path, headers.authorization]).toEqual(['/api/public/ingestion', `Basic ${btoa('pk:sk')}`])
    expect(JSON.parse(body).batch).toMatchObject([
      { type: 'trace-create', body: { id: 'three', userId: 'alice' } },
      { type: 'generation-create', body: { traceId: 'three', usageDetails: { input: 5, output: 7 } } },
      { type: 'trace-create', body: { id: 'four' } },
      { type: 'generation-create' },
    ])
  })

  it('Langfuse is asked again for what it could not store, not for what it calls wrong', async () => {
    const sink = langfuseSink({ address: url, publicKey: 'pk', secretKey: 'sk' }, egress)
    answer = { status: 207, body: '{"errors":[{"id":"three-trace","status":400}]}' }
    await sink.send(rows, signal)
    answer = { status: 207, body: '{"errors":[{"id":"three-trace","status":503}]}' }
    await expect(sink.send(rows, signal)).rejects.toThrow('did not store')
  })

  it('a bucket gets one compressed object for the rows', async () => {
    const bucket = await startFakeS3()
    const { region, accessKey, secret } = FAKE_S3
    const settings = { address: `${bucket.url}/bucket/log`, region, accessKey, secret }
    await s3Sink(openS3Store(settings, egress)).send(rows, signal)
    const [[name, body] = ['', Buffer.alloc(0)]] = bucket.objects
    expect(name).toMatch(/^\/bucket\/log\/2026\/11\/24\/\d+-\d+\.jsonl\.gz$/)
    const lines = gunzipSync(body).toString().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).request_id)).toEqual(['three', 'four'])
    await bucket.close()
  })
})
