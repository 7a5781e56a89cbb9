import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { ImagePart } from '@tollgate/dialects/canonical/part'
import { problem } from '@tollgate/kit/problem'

/** Enough for every sign that is looked for. */
const HEAD_CHARACTERS = 64

/** Types whose files show a sign; what is sent as another one is left to the upstream. */
const SIGNED = /^image\/(?:png|jpe?g|gif|webp|hei[cf]|avif)$/

/**
 * An image that came as data, of the type its bytes show: vendors refuse one that contradicts the sender's word. Throws
 * a problem for what is no image.
 */
export function sentImage(part: ImagePart): ImagePart {
  const { source } = part
  if (source.type !== 'data') return part
  const told = source.mediaType
  const seen = mediaTypeOf(Buffer.from(source.base64.slice(0, HEAD_CHARACTERS), 'base64'))
  if (seen === told) return part
  if (seen?.startsWith('image/') === true) return { ...part, source: { ...source, mediaType: seen } }
  if (seen === undefined && told.startsWith('image/') && !SIGNED.test(told)) return part
  throw problem('media_no_image', { type: told })
}
