import { WebSocket, type RawData } from 'ws'

/** Bytes that one side has not received yet, beyond which the other side is paused. */
const UNSENT_BYTES_MAX = 1024 * 1024

interface Passing {
  readonly isBinary: boolean
  readonly from: WebSocket
  readonly to: WebSocket
  /** Called once the other side has received the frame, or cannot receive it any more. */
  readonly passed?: (() => void) | undefined
}

/** Sends a frame unchanged. The sender is paused when the receiver is too slow. */
export function pass(data: RawData, { isBinary, from, to, passed }: Passing): void {
  if (to.readyState !== WebSocket.OPEN) return passed?.()
  if (to.bufferedAmount > UNSENT_BYTES_MAX) {
    from.pause()
    to.send(data, { binary: isBinary }, () => {
      from.resume()
      passed?.()
    })
  } else if (passed === undefined) {
    to.send(data, { binary: isBinary })
  } else {
    to.send(data, { binary: isBinary }, passed)
  }
}

export function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}
