import type { OnReadOpts, Socket } from 'node:net'

type Take = (bytes: Buffer) => void

const READ_BYTES_MAX = 64 * 1024
const buffer = Buffer.allocUnsafeSlow(READ_BYTES_MAX)
const takers = new WeakMap<Socket, Take>()

/**
 * An option for `net.connect` and `tls.connect`: all sockets read into one buffer, instead of 64 KiB for each read
 * that are mostly given back. Possible because what is read is taken before anything else is.
 */
export const readsIntoSharedBuffer: OnReadOpts = {
  buffer,
  callback(this: Socket, bytes: number) {
    takers.get(this)?.(buffer.subarray(0, bytes))
    return true
  },
}

/** `take` gets what a socket reads. The bytes are valid, and may be changed, until it returns. */
export function onRead(socket: Socket, take: Take): void {
  takers.set(socket, take)
}
