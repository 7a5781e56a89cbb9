import { problem } from '@tollgate/problems/problem'
import { MediaNeeded, type FetchedMedia, type FetchedMedium } from './media.ts'
import { withDetectedMediaType } from './detected-media-type.ts'

/**
 * Returns images that were given as data URLs or addresses as inline data, for vendors that accept nothing
 * else. Throws {@link MediaWanted} for addresses that must be fetched first, and a problem for content that
 * is not an image.
 */
export function inlineImages(
  reported: readonly string[],
  fetched: FetchedMedia = new Map(),
): readonly FetchedMedium[] {
  const wanted = reported.filter((url) => !isData(url) && !fetched.has(url))
  if (wanted.length > 0) throw new MediaNeeded([...new Set(wanted)])
  return reported.map((url) => {
    const medium = fetched.get(url)
    return medium === undefined ? insideOf(url) : picture(medium)
  })
}

function isData(url: string): boolean {
  return /^data:/i.test(url)
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
