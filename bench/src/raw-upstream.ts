/**
 * A process: answers every request with the same bytes at the least possible cost. `node raw-upstream.ts
 * <kind> <port,port,…> <frames> [open]`. With `open` a stream never ends after its first frames.
 */
import { createServer, type Socket } from 'node:net'
import process from 'node:process'
import { splitRequests } from './split-requests.ts'
import { streamPieces } from './stream-frames.ts'
import { kinds, wholeResponse } from './workload.ts'

const [asked, ports = '', frames, extent] = process.argv.slice(2)
const kind = kinds.find((known) => known === asked) ?? 'whole'
const pieces = kind === 'whole' ? [wholeResponse()] : streamPieces(kind, Number(frames))

for (const port of ports.split(','))
  createServer({ noDelay: true }, serve).listen(Number(port), '127.0.0.1', 4096)

function serve(socket: Socket): void {
  const take = splitRequests()
  socket.on('data', (chunk) => {
    for (let requests = take(chunk); requests > 0; requests--) answer(socket, 0)
  })
  socket.on('error', () => socket.destroy())
}

/** Writes one piece per iteration of the event loop, so that pieces of different streams interleave. */
function answer(socket: Socket, index: number): void {
  const piece = pieces[index]
  if (!piece || socket.destroyed) return
  socket.write(piece)
  if (index + 1 < pieces.length && extent !== 'open') setImmediate(answer, socket, index + 1)
}
