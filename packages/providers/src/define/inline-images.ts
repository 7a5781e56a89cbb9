import { problem } from '@tollgate/problems/problem'
import type { FetchedMedia, FetchedMedium } from './media.ts'
import { withDetectedMediaType } from './detected-media-type.ts'

/** The images that were given as addresses and not as data URLs. */
export function addressesAmong(reported: readonly string[]): readonly string[] {
  return [...new Set(reported.filter((url) => !/^data:/i.test(url)))]
}

/**
 * Returns images that were given as data URLs or addresses as inline data, for vendors that accept nothing
 * else. Throws a problem for content that is not an image.
 */
export function inlineImages(
  reported: readonly string[],
  fetched: FetchedMedia = new Map(),
): readonly FetchedMedium[] {
  return reported.map((url) => {
    const medium = fetched.get(url)
    return medium === undefined ? insideOf(url) : picture(medium)
  })
}

function picture(medium: FetchedMedium): FetchedMedium {
  const { mediaType: type } = medium
  if (!type.startsWith('image/')) throw problem('media_wrong_kind', { wanted: 'image', type })
  return medium
}

function insideOf(dataUrl: string): FetchedMedium {
  const comma = dataUrl.indexOf(',')
  const [, mediaType] = /^data:([^;,]+)(?:;[^;,]+)*;base64$/i.exec(dataUrl.slice(0, Math.max(comma, 0))) ?? []
  if (mediaType === undefined) throw problem('member_invalid', { param: 'image' })
  const source = {
    type: 'data',
    mediaType: mediaType.toLowerCase(),
    base64: dataUrl.slice(comma + 1),
  } as const
  const { source: seen } = withDetectedMediaType({ type: 'image', source })
  return seen.type === 'data' ? seen : source
}
