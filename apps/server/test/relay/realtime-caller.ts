import { WebSocket } from 'ws'
import { readText } from './realtime-vendor.ts'
import { waitFor } from './send.ts'

export const REALTIME_MODEL = 'gpt-4o-realtime-preview'

/** The caller's end of a socket, with what it received. */
export interface RealtimeCaller {
  readonly socket: WebSocket
  readonly received: Record<string, unknown>[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  say(event: object): void
  /** Resolves when an event of this type has come. */
  heard(type: string): Promise<void>
}

export interface RealtimeCallerInput {
  /** Of the gateway, `ws://…`. */
  readonly address: string
  readonly bearer: string
  readonly path?: string
}

export function openRealtimeCaller({
  address,
  bearer,
  path = `/v1/realtime?model=${REALTIME_MODEL}`,
}: RealtimeCallerInput): RealtimeCaller {
  const socket = new WebSocket(address + path, { headers: { authorization: `Bearer ${bearer}` } })
  const received: Record<string, unknown>[] = []
  const closing = Promise.withResolvers<{ code: number; reason: string }>()
  socket.on('error', () => undefined)
  socket.on('message', (data) => received.push(JSON.parse(readText(data))))
  socket.once('close', (code, reason) => closing.resolve({ code, reason: reason.toString() }))
  return {
    socket,
    received,
    closed: closing.promise,
    say: (event) => socket.send(JSON.stringify(event)),
    heard: (type) => waitFor(() => received.some((event) => event['type'] === type)),
  }
}
