import type { AudioLength } from './recording.ts'

/** Bytes per second assumed for bytes that belong to no frame: 320 kbit/s. */
const DENSEST = 40_000
/** Maximum number of bytes checked as the start of a frame, and of frames; an hour of music has fewer. */
const PLACES_MAX = 200_000
const FRAMES_MAX = 400_000
/** A frame with uncompressed samples has at most this many bytes beside them. */
const FRAME_HEAD_MAX = 64
/** Share of a file that must be covered by frames for its length to count as measured. */
const SOUND_SHARE = 0.9

/**
 * Adds up the frames of a file, whatever its header claims. A frame is found as in decoders, by its sync code
 * and the checksum of its header, and covers at most the size of its uncompressed samples. Bytes that no
 * frame covers count as 320 kbit/s audio. https://www.rfc-editor.org/rfc/rfc9639#name-frame-structure
 */
export function flacLength(bytes: Buffer): AudioLength | undefined {
  if (bytes.length < 26) return undefined
  const header = streamInfo(bytes)
  let seconds = 0
  let explained = 0
  let places = 0
  let frames = 0
  let open: { readonly at: number; readonly bytesMax: number } | undefined
  const close = (end: number) =>
    (explained += open === undefined ? 0 : Math.min(open.bytesMax, end - open.at))
  let at = bytes.indexOf(0xff, 26)
  for (; at >= 0 && frames < FRAMES_MAX && places < PLACES_MAX; at = bytes.indexOf(0xff, at + 1)) {
    places++
    const frame = frameAt(bytes, at, header)
    if (frame === undefined) continue
    frames++
    close(at)
    open = { at, bytesMax: frame.bytesMax }
    seconds += frame.seconds
  }
  const end = at < 0 ? bytes.length : at
  close(end)
  if (frames === 0 && !(header.seconds > 0)) return undefined
  const least = seconds + (bytes.length - explained) / DENSEST
  const isMeasured = explained >= bytes.length * SOUND_SHARE
  return { seconds: Math.max(isMeasured ? 0 : header.seconds, least), isMeasured }
}

interface StreamInfo {
  readonly rate: number
  readonly bits: number
  readonly seconds: number
}

/** https://www.rfc-editor.org/rfc/rfc9639#name-streaminfo */
function streamInfo(bytes: Buffer): StreamInfo {
  const rate = bytes.readUIntBE(18, 3) >> 4
  const bits = (bytes.readUInt16BE(20) >> 4) & 0x1f
  const samples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22)
  return { rate, bits: bits + 1, seconds: samples / rate }
}

const RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]
const BITS = [0, 8, 12, 0, 16, 20, 24, 32]

function frameAt(bytes: Buffer, at: number, header: StreamInfo) {
  // The sync code, for fixed and for variable block size.
  if (at + 16 > bytes.length || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return undefined
  const sizes = bytes[at + 2] ?? 0
  const kind = bytes[at + 3] ?? 0
  const [sizeCode, rateCode, channelCode] = [sizes >> 4, sizes & 15, kind >> 4]
  if (sizeCode === 0 || rateCode === 15 || channelCode > 10 || (kind & 1) === 1) return undefined
  // The frame number is encoded like UTF-8: the leading one bits of its first byte give its length.
  const ones = Math.clz32(~(bytes.readUInt8(at + 4) << 24))
  let end = at + 4 + Math.max(1, ones)
  const read = (length: number) => {
    end += length
    return end + 1 > bytes.length ? 0 : bytes.readUIntBE(end - length, length)
  }
  const samples = sizeCode === 6 ? read(1) + 1 : sizeCode === 7 ? read(2) + 1 : blockOf(sizeCode)
  const hertz = rateOf(rateCode, read) || header.rate
  if (end + 1 > bytes.length || hertz === 0 || checkSum(bytes, at, end) !== bytes[end]) return undefined
  const channels = channelCode < 8 ? channelCode + 1 : 2
  const bits = BITS[(kind >> 1) & 7] || header.bits
  return { seconds: samples / hertz, bytesMax: (samples * channels * bits) / 8 + FRAME_HEAD_MAX }
}

function blockOf(code: number): number {
  if (code === 1) return 192
  return code < 6 ? 144 << code : 256 << (code - 8)
}

/** Code 0: the sample rate is that of the file header. */
function rateOf(code: number, read: (length: number) => number): number {
  if (code === 12) return read(1) * 1000
  if (code === 13) return read(2)
  return code === 14 ? read(2) * 10 : (RATES[code] ?? 0)
}

/** CRC-8 with the polynomial 0x07. */
function checkSum(bytes: Buffer, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) {
    sum ^= bytes[at] ?? 0
    for (let bit = 0; bit < 8; bit++) sum = (sum & 0x80) === 0 ? sum << 1 : ((sum << 1) ^ 0x07) & 0xff
  }
  return sum
}
