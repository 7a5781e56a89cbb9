import type { AudioLength } from './recording.ts'

interface Frame {
  readonly bytes: number
  readonly seconds: number
}

export function isMpeg(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 3) === 'ID3' || frameAt(bytes, 0) !== undefined
}

/** Highest bytes per second: 320 kbit/s. This gives a minimum length for the size of the file. */
const DENSEST = 40_000
/** Lowest bytes per second: 8 kbit/s. */
const THINNEST = 1_000
/**
 * Maximum number of frames walked, more than any body allowed here holds in speech; and of positions tried
 * between frames.
 */
const FRAMES_MAX = 400_000
const PLACES_MAX = 20_000
/**
 * Share of a file that must be frames for its length to count as measured. The rest may be something else,
 * such as a tag at its end.
 */
const SOUND_SHARE = 0.9

/**
 * Walks from frame to frame, as players do: headers are not trusted, and bytes that are not a frame are
 * skipped. If the walk reaches its limits, the remaining bytes count as 8 kbit/s audio.
 */
export function mpegLength(bytes: Buffer): AudioLength {
  const start = Math.min(afterTag(bytes), bytes.length)
  let at = start
  let seconds = 0
  let walked = 0
  let places = 0
  for (let frames = 0; frames < FRAMES_MAX && places < PLACES_MAX; frames++) {
    const found = nextFrame(bytes, at, PLACES_MAX - places)
    places += found.places
    at = found.at
    if (found.frame === undefined) break
    seconds += found.frame.seconds
    walked += Math.min(found.frame.bytes, bytes.length - at)
    at += found.frame.bytes
  }
  seconds += Math.max(0, bytes.length - at) / THINNEST
  const isMeasured = walked >= (bytes.length - start) * SOUND_SHARE
  return { seconds: Math.max(seconds, bytes.length / DENSEST), isMeasured }
}

interface Found {
  readonly frame: Frame | undefined
  readonly at: number
  /** Number of positions tried without finding a frame. */
  readonly places: number
}

/**
 * Returns the frame at a position, or the next one that is followed by another frame; `undefined` at the end
 * of the file.
 */
function nextFrame(bytes: Buffer, from: number, placesMax: number): Found {
  const here = frameAt(bytes, from)
  if (here !== undefined) return { frame: here, at: from, places: 0 }
  let at = from
  for (let places = 1; places <= placesMax; places++) {
    at = bytes.indexOf(0xff, at + 1)
    if (at < 0) return { frame: undefined, at: bytes.length, places }
    const frame = frameAt(bytes, at)
    if (frame !== undefined && isFollowed(bytes, at + frame.bytes)) return { frame, at, places }
  }
  return { frame: undefined, at, places: placesMax }
}

function isFollowed(bytes: Buffer, at: number): boolean {
  return at + 4 > bytes.length || frameAt(bytes, at) !== undefined
}

export function afterTag(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'ID3' || bytes.length < 10) return 0
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10)
  return 10 + (a << 21) + (b << 14) + (c << 7) + d
}

const RATES = [44_100, 48_000, 32_000]
/**
 * Bit rates in kbit/s by layer III, II, I: for MPEG 1, then for the lower sampling rates.
 * http://www.mp3-tech.org/programmer/frame_header.html
 */
const BITRATES: readonly (readonly number[])[] = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
]
const LOW_BITRATES: readonly (readonly number[])[] = [
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
]

export function frameAt(bytes: Buffer, at: number): Frame | undefined {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined
  const second = bytes.readUInt8(at + 1)
  const third = bytes.readUInt8(at + 2)
  const version = (second >> 3) & 3
  const layer = ((second >> 1) & 3) - 1
  const isFull = version === 3
  const kilobits = (isFull ? BITRATES : LOW_BITRATES)[layer]?.[third >> 4]
  const rate = RATES[(third >> 2) & 3]
  if (second < 0xe0 || version === 1 || !kilobits || rate === undefined) return undefined
  const hertz = isFull ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = layer === 2 ? 384 : layer === 0 && !isFull ? 576 : 1152
  const padding = (third >> 1) & 1
  const slots =
    layer === 2
      ? Math.floor((12 * kilobits * 1000) / hertz + padding) * 4
      : Math.floor(((samples / 8) * kilobits * 1000) / hertz) + padding
  return { bytes: slots, seconds: samples / hertz }
}
