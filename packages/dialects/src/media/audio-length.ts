/** How long a recording is, as its container tells it. */
export interface AudioLength {
  readonly seconds: number
  /** Follows from the sound itself; otherwise it is what a header says of it. */
  readonly isMeasured: boolean
}

/** `undefined` for formats that are not known here, and for files that are not what they seem. Nothing is decoded. */
export function audioLength(bytes: Buffer): AudioLength | undefined {
  const format = formats.find(({ isIt }) => isIt(bytes))
  const seconds = format?.seconds(bytes)
  if (format === undefined || seconds === undefined || !(seconds > 0 && seconds < SECONDS_MAX))
    return undefined
  return { seconds, isMeasured: format.isMeasured }
}

/** What passed by of a recording: its beginning, its end where time is told there, and how many bytes it had. */
export interface PassedSound {
  readonly head: Buffer
  readonly tail: Buffer
  readonly bytes: number
}

/** Each of its pages tells the time, so that the last one tells the length of it all. */
export const isPaged = begins('OggS')
const isWave = begins('RIFF')

/** The length of sound that nobody kept. */
export function passedSeconds({ head, tail, bytes }: PassedSound): number | undefined {
  const seconds = isPaged(head) ? oggSeconds(Buffer.concat([head, tail])) : steadySeconds(head, bytes)
  return seconds !== undefined && seconds > 0 && seconds < SECONDS_MAX ? seconds : undefined
}

/** As its beginning goes, so does the rest. */
function steadySeconds(head: Buffer, bytes: number): number | undefined {
  if (isWave(head)) {
    const data = head.indexOf('data')
    return data < 32 ? undefined : (bytes - data - 8) / head.readUInt32LE(28)
  }
  const start = afterTag(head)
  const frame = frameAt(head, start)
  return frame && ((bytes - start) * frame.seconds) / frame.bytes
}

const SECONDS_MAX = 7 * 24 * 3600

interface Format {
  readonly isIt: (bytes: Buffer) => boolean
  readonly isMeasured: boolean
  readonly seconds: (bytes: Buffer) => number | undefined
}

const formats: readonly Format[] = [
  { isIt: isWave, isMeasured: true, seconds: waveSeconds },
  { isIt: begins('fLaC'), isMeasured: false, seconds: flacSeconds },
  { isIt: isPaged, isMeasured: false, seconds: oggSeconds },
  { isIt: (bytes) => textAt(bytes, 4, 4) === 'ftyp', isMeasured: false, seconds: mp4Seconds },
  { isIt: isMpeg, isMeasured: true, seconds: mpegSeconds },
]

function begins(mark: string): (bytes: Buffer) => boolean {
  return (bytes) => textAt(bytes, 0, mark.length) === mark
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length)
}

/** http://soundfile.sapp.org/doc/WaveFormat/ */
function waveSeconds(bytes: Buffer): number | undefined {
  let bytesPerSecond = 0
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = textAt(bytes, at, 4)
    const size = bytes.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 20 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(at + 16)
    if (name === 'data') return Math.min(size, bytes.length - at - 8) / bytesPerSecond
    at += 8 + size + (size % 2)
  }
  return undefined
}

/** https://www.rfc-editor.org/rfc/rfc9639#name-streaminfo */
function flacSeconds(bytes: Buffer): number | undefined {
  if (bytes.length < 26) return undefined
  const rate = bytes.readUIntBE(18, 3) >> 4
  const samples = (bytes.readUInt8(21) & 0x0f) * 2 ** 32 + bytes.readUInt32BE(22)
  return samples / rate
}

/** The last page tells the place of its last sample. https://www.rfc-editor.org/rfc/rfc3533 */
function oggSeconds(bytes: Buffer): number | undefined {
  const last = bytes.lastIndexOf('OggS')
  if (bytes.length < 64 || last + 14 > bytes.length) return undefined
  const head = 27 + bytes.readUInt8(26)
  const samples = Number(bytes.readBigUInt64LE(last + 6))
  if (textAt(bytes, head, 8) === 'OpusHead') return samples / 48_000
  if (textAt(bytes, head, 7) !== '\x01vorbis' || head + 16 > bytes.length) return undefined
  return samples / bytes.readUInt32LE(head + 12)
}

/** https://developer.apple.com/documentation/quicktime-file-format/movie_header_atom */
function mp4Seconds(bytes: Buffer): number | undefined {
  const movie = boxIn(bytes, 'moov')
  const header = movie && boxIn(movie, 'mvhd')
  if (header === undefined || header.length < 20) return undefined
  const isLong = header.readUInt8(0) === 1
  if (isLong && header.length < 32) return undefined
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return length / scale
}

function boxIn(bytes: Buffer, wanted: string): Buffer | undefined {
  for (let at = 0; at + 8 <= bytes.length;) {
    const short = bytes.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= bytes.length
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short || bytes.length - at
    if (size < 8) return undefined
    if (textAt(bytes, at + 4, 4) === wanted) return bytes.subarray(at + (isLong ? 16 : 8), at + size)
    at += size
  }
  return undefined
}

function isMpeg(bytes: Buffer): boolean {
  return textAt(bytes, 0, 3) === 'ID3' || frameAt(bytes, 0) !== undefined
}

/** Walks from frame to frame, so that what a header claims does not matter. */
function mpegSeconds(bytes: Buffer): number {
  let seconds = 0
  for (let at = afterTag(bytes); at + 4 <= bytes.length;) {
    const frame = frameAt(bytes, at)
    if (frame === undefined) break
    seconds += frame.seconds
    at += frame.bytes
  }
  return seconds
}

function afterTag(bytes: Buffer): number {
  if (textAt(bytes, 0, 3) !== 'ID3' || bytes.length < 10) return 0
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10)
  return 10 + (a << 21) + (b << 14) + (c << 7) + d
}

const RATES = [44_100, 48_000, 32_000]
/** kbit/s by layer III, II, I; of MPEG 1, and of its lower sampling rates. http://www.mp3-tech.org/programmer/frame_header.html */
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

function frameAt(bytes: Buffer, at: number): { bytes: number; seconds: number } | undefined {
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
