/**
 * A process: opens streams and keeps them open. `node stream-client.ts <file>` with a {@link NodeLoadInput}. For
 * each number on a line of its input it opens streams until that many are open, and prints `OPEN <open>
 * <failures>`.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { NodeLoadInput } from '../node-load.ts'
import { requestWriter } from '../request-bytes.ts'

/** Streams whose first bytes have not come yet. */
const AT_ONCE = 100

// `streams-run.ts` wrote the file, so the cast is safe.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const input = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as NodeLoadInput
const url = new URL(input.address.url)
const nextRequest = requestWriter(input, url)
let wanted = 0
let opening = 0
let open = 0
let failures = 0

createInterface({ input: process.stdin }).on('line', (line) => {
  wanted = Number(line)
  openMore()
})

function openMore(): void {
  while (opening < AT_ONCE && opening + open + failures < wanted) openOne()
  if (opening === 0 && open + failures >= wanted) process.stdout.write(`OPEN ${open} ${failures}\n`)
}

function openOne(): void {
  opening++
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  let isAnswered = false
  const answered = (isOpen: boolean) => {
    if (isAnswered) return
    isAnswered = true
    opening--
    if (isOpen) open++
    else failures++
    openMore()
  }
  socket.on('connect', () => socket.write(nextRequest()))
  socket.on('error', () => answered(false))
  socket.on('close', () => answered(false))
  socket.on('data', (chunk) => answered(chunk.includes(' 200 OK')))
}
