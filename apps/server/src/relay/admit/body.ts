import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { problem } from '@tollgate/kit/problem'

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * The whole body of a request, inflated. The limit counts inflated bytes, so a small file that unpacks to a huge one is
 * refused while it unpacks. A body that came in one piece is not copied.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
      reject(problem('body_too_large', { limit: bytesMax }))
      return
    }
    const encoding = encodingOf(request)
    if (encoding === 'identity') {
      collect(request, { bytesMax, resolve, reject })
      return
    }
    const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined
    if (decoder === undefined) {
      reject(problem('body_unreadable'))
      return
    }
    collect(decoder, { bytesMax, resolve, reject })
    // A caller who hangs up ends the socket's side only; the decoder would wait for the rest for ever.
    request.once('error', (error) => decoder.destroy(error))
    request.pipe(decoder)
  })
}

function encodingOf({ headers }: IncomingMessage): string {
  return headers['content-encoding']?.trim().toLowerCase() || 'identity'
}

interface Collecting {
  readonly bytesMax: number
  readonly resolve: (body: Buffer) => void
  readonly reject: (error: Error) => void
}

function collect(source: Readable, { bytesMax, resolve, reject }: Collecting): void {
  const chunks: Buffer[] = []
  let size = 0
  source.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= bytesMax) {
      chunks.push(chunk)
      return
    }
    source.removeAllListeners('data').pause()
    reject(problem('body_too_large', { limit: bytesMax }))
  })
  source.on('end', () => resolve(onlyOf(chunks) ?? Buffer.concat(chunks, size)))
  source.on('error', (error) => reject(problem('body_unreadable', {}, { cause: error })))
}

function onlyOf(chunks: readonly Buffer[]): Buffer | undefined {
  return chunks.length === 1 ? chunks[0] : undefined
}
