import type { AudioLength } from './recording.ts'

/** Highest plausible bytes per second of audio: 320 kbit/s. */
const DENSEST = 40_000
const PICTURES: ReadonlySet<string> = new Set([
  'avc1',
  'avc3',
  'hvc1',
  'hev1',
  'vp08',
  'vp09',
  'av01',
  'mp4v',
])

/**
 * Returns at least the length that the audio bytes would have at 320 kbit/s; a shorter length claimed by the
 * header is ignored. The audio bytes are all bytes except those that the file's own tables assign to video.
 * https://developer.apple.com/documentation/quicktime-file-format/movie_header_atom
 */
export function mp4Length(bytes: Buffer): AudioLength | undefined {
  const reported = headerSeconds(bytes)
  if (reported === undefined || Number.isNaN(reported)) return undefined
  return { seconds: Math.max(reported, soundBytes(bytes) / DENSEST), isMeasured: false }
}

function headerSeconds(bytes: Buffer): number | undefined {
  const movie = boxIn(bytes, 'moov')
  const header = movie && boxIn(movie, 'mvhd')
  if (header === undefined || header.length < 20) return undefined
  const isLong = header.readUInt8(0) === 1
  if (isLong && header.length < 32) return undefined
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return length / scale
}

/**
 * Number of bytes that may be audio: all except video, but never less than the tables of the other tracks
 * list.
 */
function soundBytes(bytes: Buffer): number {
  const movie = boxIn(bytes, 'moov')
  // Fragmented files have further tables in each fragment, so all bytes count as audio.
  if (movie === undefined || boxIn(bytes, 'moof') !== undefined || boxIn(movie, 'mvex') !== undefined)
    return bytes.length
  let pictures = 0
  let others = 0
  for (const { name, content } of boxes(movie)) {
    if (name !== 'trak') continue
    const track = trackOf(content)
    if (track === undefined) return bytes.length
    if (track.isPictures) pictures += track.bytes
    else others += track.bytes
  }
  return Math.max(bytes.length - pictures, others)
}

function trackOf(track: Buffer): { readonly isPictures: boolean; readonly bytes: number } | undefined {
  const media = boxIn(track, 'mdia')
  const handler = media && boxIn(media, 'hdlr')
  const information = media && boxIn(media, 'minf')
  const tables = information && boxIn(information, 'stbl')
  const sizes = tables && boxIn(tables, 'stsz')
  const descriptions = tables && boxIn(tables, 'stsd')
  if (handler === undefined || sizes === undefined || descriptions === undefined) return undefined
  const isPictures = textAt(handler, 8) === 'vide' && PICTURES.has(textAt(descriptions, 12))
  return { isPictures, bytes: sumOf(sizes) }
}

/** The table has one size for all samples, or one for each. */
function sumOf(sizes: Buffer): number {
  if (sizes.length < 12) return 0
  const each = sizes.readUInt32BE(4)
  const count = sizes.readUInt32BE(8)
  if (each > 0) return each * count
  let sum = 0
  for (let place = 0; place < count && 16 + place * 4 <= sizes.length; place++)
    sum += sizes.readUInt32BE(12 + place * 4)
  return sum
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4)
}

function boxIn(bytes: Buffer, wanted: string): Buffer | undefined {
  for (const { name, content } of boxes(bytes)) if (name === wanted) return content
  return undefined
}

function* boxes(bytes: Buffer): Generator<{ readonly name: string; readonly content: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length;) {
    const short = bytes.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= bytes.length
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short || bytes.length - at
    if (size < 8) return
    yield { name: textAt(bytes, at + 4), content: bytes.subarray(at + (isLong ? 16 : 8), at + size) }
    at += size
  }
}
