import type { AudioLength } from './recording.ts'

/** Bytes a second that are believed at least, whatever a header says of its samples: 320 kbit/s. */
const DENSEST = 40_000
/** Plain and floating samples, two telephone codes, two of half a byte a sample, and the form that names one of these apart. */
const STEADY: ReadonlySet<number> = new Set([1, 3, 6, 7, 2, 0x11])
const EXTENSIBLE = 0xfffe
const RATE_MAX = 192_000
const CHANNELS_MAX = 8
const BITS_MAX = 32

/**
 * By rate, channels and bits, as players go; the header's own figure of bytes a second decides nothing. A file is at
 * least as long as all its bytes would be at that rate, or at 320 kbit/s where the header names less or nonsense.
 * `undefined`: the samples are packed, and only a decoder knows how many there are.
 * http://soundfile.sapp.org/doc/WaveFormat/
 */
export function waveLength(bytes: Buffer): AudioLength | undefined {
  let bytesPerSecond = 0
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 24 <= bytes.length) {
      if (!STEADY.has(codeAt(bytes, at + 8))) return undefined
      bytesPerSecond = rateAt(bytes, at + 8)
    }
    if (name === 'data') return lengthOf(bytes, { bytesPerSecond, data: bytes.length - at - 8, size })
    at += 8 + size + (size % 2)
  }
  return undefined
}

function codeAt(bytes: Buffer, at: number): number {
  const code = bytes.readUInt16LE(at)
  return code === EXTENSIBLE && at + 26 <= bytes.length ? bytes.readUInt16LE(at + 24) : code
}

/** 0 for what no recording has. */
function rateAt(bytes: Buffer, at: number): number {
  const channels = bytes.readUInt16LE(at + 2)
  const rate = bytes.readUInt32LE(at + 4)
  const bits = bytes.readUInt16LE(at + 14)
  const isPossible = channels <= CHANNELS_MAX && rate <= RATE_MAX && bits <= BITS_MAX
  return isPossible ? (rate * channels * bits) / 8 : 0
}

interface Data {
  readonly bytesPerSecond: number
  /** From the beginning of the sound to the end of the file. */
  readonly data: number
  /** As its chunk says; streams do not know it. */
  readonly size: number
}

function lengthOf(bytes: Buffer, { bytesPerSecond, data, size }: Data): AudioLength {
  const least = bytes.length / Math.max(DENSEST, bytesPerSecond)
  if (bytesPerSecond === 0) return { seconds: least, isMeasured: false }
  return { seconds: Math.max(Math.min(size, data) / bytesPerSecond, least), isMeasured: true }
}
