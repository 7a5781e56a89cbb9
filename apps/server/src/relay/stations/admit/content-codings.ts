import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  type Zlib,
  type ZstdOptions,
} from 'node:zlib'
import { problem } from '@tollgate/problems/problem'

/**
 * A zstd frame that needs a larger window is refused, so that a few bytes cannot reserve 128 MiB: RFC 9659,
 * section 3.
 */
const zstdOptions: ZstdOptions = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

export type Decoder = Transform & Zlib

const decoders: Readonly<Record<string, () => Decoder>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: () => createZstdDecompress(zstdOptions),
}

/** Value of `accept-encoding` in a 415 response: RFC 7694. */
export const ACCEPTED_CODINGS = 'zstd, br, gzip, deflate'

/** No client needs more than one coding; each costs time and memory. */
const CODINGS_MAX = 3

/**
 * The decoders that undo a body's codings, in the order in which they run: `content-encoding` lists codings
 * in the order they were applied, so the last one is undone first. Empty for a body that is not encoded.
 * Throws a Problem for an unknown coding, and for too many codings.
 */
export function decodersFor({ 'content-encoding': header = '' }: IncomingHttpHeaders): Decoder[] {
  const codings = header
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity')
  if (codings.length > CODINGS_MAX) throw problem('body_codings_too_many', { max: CODINGS_MAX })
  const unknown = codings.find((coding) => !Object.hasOwn(decoders, coding))
  if (unknown !== undefined)
    throw problem('body_coding_unsupported', { coding: shown(unknown), accepted: ACCEPTED_CODINGS })
  return codings.toReversed().flatMap((coding) => decoders[coding]?.() ?? [])
}

function shown(coding: string): string {
  return coding.replace(/[^\w.+-]/g, '?').slice(0, 32)
}
