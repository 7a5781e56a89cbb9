import type { Server } from 'node:net'
import { performance } from 'node:perf_hooks'

/** After this many turns of the event loop, a server that is never idle is closed all the same. */
const TURNS_MAX = 1_000

/**
 * Stops accepting connections. Clients whose connections the kernel has established, but the process not yet
 * accepted, would be reset when a listening socket is closed, perhaps after they sent a request. Therefore the
 * socket is closed right after a turn of the event loop in which nothing arrived, when none are waiting.
 */
export function closeListener(server: Server, onClosed: () => void): void {
  let turns = 0
  let before = eventsSoFar()
  const look = () => {
    const now = eventsSoFar()
    turns += 1
    if (now === before || turns >= TURNS_MAX) server.close(onClosed)
    else setImmediate(look)
    before = now
  }
  setImmediate(look)
}

function eventsSoFar(): number {
  return performance.nodeTiming.uvMetricsInfo.events
}
