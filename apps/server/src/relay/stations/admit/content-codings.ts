import type { IncomingHttpHeaders } from 'node:http'
import {
  ACCEPTED_CODINGS,
  createDecoders,
  isKnownCoding,
  parseCodings,
  type ContentDecoder,
} from '@tollgate/egress/content-codings'
import { problem } from '@tollgate/problems/problem'

/** No client needs more than one coding; each costs time and memory. */
const CODINGS_MAX = 3

/**
 * The decoders that undo a body's codings, in the order in which they run. Empty for a body that is not
 * encoded. Throws a Problem for an unknown coding, and for too many codings.
 */
export function decodersFor({ 'content-encoding': header }: IncomingHttpHeaders): ContentDecoder[] {
  const codings = parseCodings(header)
  if (codings.length > CODINGS_MAX) throw problem('body_codings_too_many', { max: CODINGS_MAX })
  const unknown = codings.find((coding) => !isKnownCoding(coding))
  if (unknown !== undefined)
    throw problem('body_coding_unsupported', { coding: shown(unknown), accepted: ACCEPTED_CODINGS })
  return createDecoders(codings)
}

function shown(coding: string): string {
  return coding.replace(/[^\w.+-]/g, '?').slice(0, 32)
}
