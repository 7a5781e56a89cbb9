/**
 * A process: a load generator on plain sockets. `node node-client.ts <JSON>`; prints one line with the
 * result.
 */
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import type { LoadInput } from './load-shape.ts'
import { RESULT_MARK } from './node-load.ts'
import { splitAnswers } from './split-answers.ts'

const input = readInput(process.argv[2] ?? '')
const url = new URL(input.address.url)
const request = requestBytes()
const latenciesMs: number[] = []
const sockets: Socket[] = []
let failures = 0

const startedMs = performance.now()
for (let index = 0; index < input.connections; index++) open()
setTimeout(finish, input.seconds * 1000)

function open(): void {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  sockets.push(socket)
  const take = splitAnswers()
  let sentMs = 0
  const send = () => {
    sentMs = performance.now()
    socket.write(request)
  }
  socket.on('connect', send)
  socket.on('error', () => (failures += 1))
  socket.on('data', (chunk) => {
    const answer = take(chunk)
    if (!answer) return
    if (answer.status === 200) latenciesMs.push(performance.now() - sentMs)
    else failures += 1
    send()
  })
}

function finish(): void {
  const elapsed = (performance.now() - startedMs) / 1000
  for (const socket of sockets) socket.destroy()
  const sorted = Float64Array.from(latenciesMs).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const result = { requests: sorted.length, elapsed, medianMs: at(0.5), p99Ms: at(0.99), failures }
  process.stdout.write(`${RESULT_MARK}${JSON.stringify(result)}\n`, () => process.exit(0))
}

function requestBytes(): Buffer {
  const headers = { host: url.host, 'content-type': 'application/json', ...input.address.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = `content-length: ${Buffer.byteLength(input.body)}\r\n`
  return Buffer.from(
    `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}${length}\r\n${input.body}`,
  )
}

function readInput(text: string): Omit<LoadInput, 'directory'> {
  // The text comes from `nodeLoad`, so the cast is safe.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as Omit<LoadInput, 'directory'>
}
