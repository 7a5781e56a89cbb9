import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { ImagePart } from '@tollgate/dialects/canonical/part'
import { problem } from '@tollgate/problems/problem'

/** Base64 characters that are enough to detect every known signature. */
const HEAD_CHARACTERS = 64

/**
 * Media types whose files have a known signature. An image declared as another type is left for the upstream
 * to check.
 */
const SIGNED = /^image\/(?:png|jpe?g|gif|webp|hei[cf]|avif)$/

/**
 * Returns an inline image with the media type that its bytes show, because vendors refuse a declared type
 * that the bytes contradict. Throws a problem for content that is not an image.
 */
export function withDetectedMediaType(part: ImagePart): ImagePart {
  const { source } = part
  if (source.type !== 'data') return part
  const reported = source.mediaType
  const seen = mediaTypeOf(Buffer.from(source.base64.slice(0, HEAD_CHARACTERS), 'base64'))
  if (seen === reported) return part
  if (seen?.startsWith('image/') === true) return { ...part, source: { ...source, mediaType: seen } }
  if (seen === undefined && reported.startsWith('image/') && !SIGNED.test(reported)) return part
  throw problem('media_no_image', { type: reported })
}
