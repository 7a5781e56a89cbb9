import { openEgress } from '@tollgate/egress/open-egress'
import { findOwnServer } from '@tollgate/testkit/own-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openNats } from '../src/jobs/sinks/nats-client.ts'
import { natsSink } from '../src/jobs/sinks/nats-sink.ts'
import type { LogSinkRow } from '../src/jobs/sinks/sink.ts'

/** The sink against a real `nats-server` with a stream. */

const egress = openEgress({ allowedAddresses: ['127.0.0.1'] })
const signal = new AbortController().signal
const program = findOwnServer('nats')

describe.skipIf(program === undefined)('the sink for NATS', () => {
  let stop: (() => void) | undefined
  let address = ''
  let user = { user: '', password: '' }
  beforeAll(async () => {
    const server = await program?.start()
    const { host, username, password } = new URL(server?.url ?? 'nats://127.0.0.1:9')
    stop = server?.stop
    address = `nats://${host}`
    user = { user: username, password: decodeURIComponent(password) }
  })
  afterAll(() => stop?.())

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
