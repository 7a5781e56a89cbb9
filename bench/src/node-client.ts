/**
 * A process: a load generator on plain sockets. `node node-client.ts <file>` with a {@link NodeLoadInput};
 * prints one line with the result.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { RESULT_MARK, type NodeLoadInput } from './node-load.ts'
import { requestWriter } from './request-bytes.ts'
import { splitAnswers } from './split-answers.ts'

interface Connection {
  readonly socket: Socket
  /** When the request under way was sent, or should have been. */
  sinceMs: number
}

const input = readInput(process.argv[2] ?? '')
const url = new URL(input.address.url)
const nextRequest = requestWriter(input, url)
const latenciesMs: number[] = []
const sockets: Socket[] = []
/** Connections without a request, and the times of calls that wait for one: only with an even rate. */
const free: Connection[] = []
const dueMs: number[] = []
let failures = 0
let started = 0

const startedMs = performance.now()
for (let index = 0; index < input.connections; index++) open()
if (input.perSecond !== undefined) setInterval(startDue, 1, input.perSecond)
setTimeout(finish, input.seconds * 1000)

function open(): void {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  const connection = { socket, sinceMs: 0 }
  sockets.push(socket)
  const take = splitAnswers()
  socket.on('connect', () => goOn(connection))
  socket.on('error', () => (failures += 1))
  socket.on('data', (chunk) => {
    const answer = take(chunk)
    if (!answer) return
    if (answer.status === 200) latenciesMs.push(performance.now() - connection.sinceMs)
    else failures += 1
    goOn(connection)
  })
}

function goOn(connection: Connection): void {
  if (input.perSecond === undefined) return send(connection, performance.now())
  const sinceMs = dueMs.shift()
  if (sinceMs === undefined) free.push(connection)
  else send(connection, sinceMs)
}

/** A call that finds no free connection waits, and its latency counts from when it should have started. */
function startDue(perSecond: number): void {
  const nowMs = performance.now()
  for (; startedMs + (started * 1000) / perSecond <= nowMs; started++) {
    const sinceMs = startedMs + (started * 1000) / perSecond
    const connection = free.pop()
    if (connection) send(connection, sinceMs)
    else dueMs.push(sinceMs)
  }
}

function send(connection: Connection, sinceMs: number): void {
  connection.sinceMs = sinceMs
  connection.socket.write(nextRequest())
}

function finish(): void {
  const elapsed = (performance.now() - startedMs) / 1000
  for (const socket of sockets) socket.destroy()
  const sorted = Float64Array.from(latenciesMs).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const result = { requests: sorted.length, elapsed, medianMs: at(0.5), p99Ms: at(0.99), failures }
  process.stdout.write(`${RESULT_MARK}${JSON.stringify(result)}\n`, () => process.exit(0))
}

function readInput(file: string): NodeLoadInput {
  // The file comes from `nodeLoad`, so the cast is safe.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(readFileSync(file, 'utf8')) as NodeLoadInput
}
