import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  type Zlib,
} from 'node:zlib'

/**
 * A zstd frame that needs a larger window is refused, so that a few bytes cannot reserve 128 MiB: RFC 9659,
 * section 3.
 */
const WINDOW_LOG_MAX = 23

export type ContentDecoder = Transform & Zlib

/** Each input chunk is flushed: an event must not wait in a decoder for the next one. */
const flushed = { flush: constants.Z_SYNC_FLUSH }

const decoders: Readonly<Record<string, () => ContentDecoder>> = {
  gzip: () => createGunzip(flushed),
  'x-gzip': () => createGunzip(flushed),
  deflate: () => createInflate(flushed),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () =>
    createZstdDecompress({
      flush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX },
    }),
}

/** The codings that are undone, in the form of an `accept-encoding` header. */
export const ACCEPTED_CODINGS = 'zstd, br, gzip, deflate'

/**
 * The codings of a `content-encoding` header, in the order in which they were applied. `identity` is none.
 */
export function parseCodings(header: string | undefined): string[] {
  if (header === undefined) return []
  const codings = header.split(',').map((coding) => coding.trim().toLowerCase())
  return codings.filter((coding) => coding !== '' && coding !== 'identity')
}

export function isKnownCoding(coding: string): boolean {
  return Object.hasOwn(decoders, coding)
}

/** Creates the decoders that undo known codings, in the order in which they run: the last coding first. */
export function createDecoders(codings: readonly string[]): ContentDecoder[] {
  return codings.toReversed().flatMap((coding) => decoders[coding]?.() ?? [])
}
