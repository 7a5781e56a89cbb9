import type { IncomingMessage } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { problem } from '@tollgate/kit/problem'
import { type BodyLease, UNASKED_BYTES } from './body-budget.ts'
import { BodyBytes } from './body-bytes.ts'

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Decides whether a large body may be read on, by what has come so far. Rejects to refuse it; resolves with the size at
 * which it wants to be asked again.
 */
export type BodyGate = (sofar: Buffer) => Promise<number>

export interface BodyRules {
  /** Inflated bytes. */
  readonly bytesMax: number
  /** Pays for what is read. */
  readonly lease: BodyLease
  /** Asked before more than {@link UNASKED_BYTES} are read, or much of its owner is in flight; absent: nobody is. */
  readonly gate?: BodyGate
}

/**
 * The whole body of a request, inflated. The limit counts inflated bytes, so a small file that unpacks to a huge one is
 * refused while it unpacks. A body that came in one piece is not copied.
 */
export function readBody(request: IncomingMessage, rules: BodyRules): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const length = Number(request.headers['content-length'] ?? 0)
    if (length > rules.bytesMax) {
      reject(problem('body_too_large', { limit: rules.bytesMax }))
      return
    }
    const encoding = encodingOf(request)
    if (encoding === 'identity') {
      collect(request, {
        rules,
        resolve,
        reject,
        isLarge: length > UNASKED_BYTES,
        stop: () => request.pause(),
      })
      return
    }
    const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined
    if (decoder === undefined) {
      reject(problem('body_unreadable'))
      return
    }
    collect(decoder, { rules, resolve, reject, isLarge: false, stop: () => decoder.destroy() })
    // A caller who hangs up ends the socket's side only; the decoder would wait for the rest for ever.
    request.once('error', (error) => decoder.destroy(error))
    request.pipe(decoder)
  })
}

function encodingOf({ headers }: IncomingMessage): string {
  return headers['content-encoding']?.trim().toLowerCase() || 'identity'
}

interface Collecting {
  readonly rules: BodyRules
  /** Known before its first byte. */
  readonly isLarge: boolean
  /** Nothing more is wanted. */
  readonly stop: () => void
  readonly resolve: (body: Buffer) => void
  readonly reject: (error: unknown) => void
}

function collect(source: Readable, { rules, isLarge, stop, resolve, reject }: Collecting): void {
  const { bytesMax, lease, gate } = rules
  const bytes = new BodyBytes(bytesMax)
  let isAsked = false
  let askAt = gate === undefined ? Number.POSITIVE_INFINITY : isLarge ? 0 : UNASKED_BYTES

  function refuse(error: unknown): void {
    source.removeAllListeners('data')
    stop()
    bytes.clear()
    reject(error)
  }

  function take(chunk: Buffer): void {
    if (bytes.size + chunk.length > bytesMax) return refuse(problem('body_too_large', { limit: bytesMax }))
    try {
      lease.take(chunk.length)
    } catch (error) {
      return refuse(error)
    }
    bytes.add(chunk)
    const isDue = bytes.size > askAt || (!isAsked && lease.isOneOfMany)
    if (gate !== undefined && isDue) void ask(gate)
  }

  async function ask(asked: BodyGate): Promise<void> {
    isAsked = true
    source.pause()
    askAt = Number.POSITIVE_INFINITY
    try {
      askAt = await asked(bytes.sofar())
      source.resume()
    } catch (error) {
      refuse(error)
    }
  }

  source.on('data', take)
  source.on('end', () => resolve(bytes.whole()))
  source.on('error', (error) => {
    bytes.clear()
    reject(problem('body_unreadable', {}, { cause: error }))
  })
}
