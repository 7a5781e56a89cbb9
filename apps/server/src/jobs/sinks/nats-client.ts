import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Egress } from '@tollgate/egress/egress'
import { NatsReader, type NatsMessage } from './nats-reader.ts'

/**
 * As much of the NATS client protocol as publishing with confirmations needs. The official client opens sockets of its
 * own, past the address checks of our egress. https://docs.nats.io/reference/reference-protocols/nats-protocol
 */
export interface NatsConnection {
  /** Sends a message and resolves to its answer. */
  request(subject: string, payload: string, headers?: Readonly<Record<string, string>>): Promise<string>
  close(): void
}

export interface NatsSettings {
  /** `nats://host:4222`, or `tls://` for a connection that is encrypted after the greeting of the server. */
  readonly address: string
  readonly user: string
  readonly password: string
}

const DEFAULT_PORT = 4222
const ANSWER_MS = 15_000

/** Rejects with an error whose message is for the operator. */
export async function openNats(
  { address, user, password }: NatsSettings,
  egress: Pick<Egress, 'connection'>,
): Promise<NatsConnection> {
  const { hostname, port, protocol } = new URL(address)
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  let socket = await egress.connection({ host, port: Number(port) || DEFAULT_PORT })
  const waiting = new Map<string, PromiseWithResolvers<NatsMessage>>()
  const ready = Promise.withResolvers<void>()
  const inbox = `_INBOX.${randomBytes(12).toString('hex')}`
  let requests = 0

  function end(error: Error): void {
    ready.reject(error)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    socket.destroy()
  }

  function greet(): void {
    const login = user === '' ? {} : { user, pass: password }
    const options = {
      verbose: false,
      pedantic: false,
      headers: true,
      no_responders: true,
      lang: 'node',
      version: '1',
    }
    socket.write(`CONNECT ${JSON.stringify({ ...options, ...login })}\r\nSUB ${inbox}.* 1\r\nPING\r\n`)
  }

  const reader = new NatsReader({
    info: () => {
      if (protocol !== 'tls:') return greet()
      socket.removeAllListeners()
      socket = listen(connectTls({ socket, servername: host }, greet))
    },
    ping: () => void socket.write('PONG\r\n'),
    pong: () => ready.resolve(),
    error: (text) => end(new Error(text)),
    message: (message) => {
      waiting.get(message.subject)?.resolve(message)
      waiting.delete(message.subject)
    },
  })

  function listen(over: Socket): Socket {
    over.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk)
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)))
      }
    })
    over.on('error', end)
    over.on('close', () => end(new Error('the server closed the connection')))
    over.setTimeout(ANSWER_MS, () => end(new Error('the server does not answer')))
    return over
  }

  listen(socket)
  await ready.promise
  return {
    request: async (subject, payload, headers = {}) => {
      const reply = `${inbox}.${requests++}`
      const answer = Promise.withResolvers<NatsMessage>()
      waiting.set(reply, answer)
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const head = `NATS/1.0\r\n${lines.join('')}\r\n`
      const [headBytes, bytes] = [Buffer.byteLength(head), Buffer.byteLength(payload)]
      socket.write(`HPUB ${subject} ${reply} ${headBytes} ${headBytes + bytes}\r\n${head}${payload}\r\n`)
      const { status, text } = await answer.promise
      if (status === '503') throw new Error(`nothing receives the subject ${subject}: a stream must cover it`)
      return text
    },
    close: () => socket.destroy(),
  }
}
