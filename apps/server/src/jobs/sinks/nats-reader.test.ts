import { expect, it } from 'vitest'
import { NatsReader } from './nats-reader.ts'

const STREAM =
  'INFO {"server_id":"x"}\r\nPING\r\nPONG\r\n+OK\r\nMSG in.1 1 5\r\nhe\r\no\r\n' +
  "HMSG in.2 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n-ERR 'Authorization Violation'\r\n"

function eventsOf(chunks: readonly Buffer[]): unknown[] {
  const events: unknown[] = []
  const reader = new NatsReader({
    info: () => events.push('info'),
    ping: () => events.push('ping'),
    pong: () => events.push('pong'),
    error: (text) => events.push(text),
    message: (message) => events.push(message),
  })
  for (const chunk of chunks) reader.push(chunk)
  return events
}

it.each([1, 2, 7, 1_000])('messages in pieces of %i bytes are read as a whole', (size) => {
  const bytes = Buffer.from(STREAM)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  expect(eventsOf(chunks)).toEqual([
    'info',
    'ping',
    'pong',
    { subject: 'in.1', status: '', text: 'he\r\no' },
    { subject: 'in.2', status: '503', text: '' },
    "'Authorization Violation'",
  ])
})

it.each([
  'HTTP/1.1 400 Bad Request\r\n',
  'MSG in.1 1 -5\r\n',
  'MSG in.1 1 99999999\r\n',
  'x'.repeat(2_000_000),
])('something else than NATS ends the connection', (text) =>
  expect(() => eventsOf([Buffer.from(text)])).toThrow('the server'),
)
