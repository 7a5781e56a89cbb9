import { once } from 'node:events'
import { expect } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import { waitFor } from './send.ts'

export type Frame = Readonly<Record<string, unknown>>

export function frameOf(data: RawData): Frame {
  const value: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString() : '')
  return { ...Object(value) }
}

export type SocketCaller = Awaited<ReturnType<typeof openCaller>>

/** A caller of the Responses API whose handshake was sent; it notes every frame that it gets. */
export async function openCaller(socket: WebSocket, call: object) {
  const frames: Frame[] = []
  let read = 0
  socket.on('message', (data) => frames.push(frameOf(data)))
  const closed = once(socket, 'close').then(([code]) => Number(code))
  await once(socket, 'open')
  const next = async (isWanted: (frame: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      await waitFor(() => frames.length > read)
      const frame = frames[read++]
      if (frame !== undefined && isWanted(frame)) return frame
    }
  }
  const last = () => next((frame) => /completed|failed|error/.test(String(frame['type'])))
  return {
    socket,
    frames,
    closed,
    next,
    /** The next frame that ends a call. */
    last,
    send: (frame: object) => socket.send(JSON.stringify(frame)),
    error: () => next(({ type }) => type === 'error'),
    /** Makes a call that must succeed; resolves with the id of its response. */
    create: async (body: object = {}): Promise<string> => {
      socket.send(JSON.stringify({ ...call, ...body }))
      const { type, response } = await last()
      expect(type).toBe('response.completed')
      return String(Object(response).id)
    },
  }
}
