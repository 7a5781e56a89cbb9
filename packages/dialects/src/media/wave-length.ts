import type { AudioLength } from './recording.ts'

/**
 * Bytes per second used at least for the minimum length, whatever a header claims about the samples: 320
 * kbit/s.
 */
const DENSEST = 40_000
/**
 * Formats with a fixed number of bits per sample: PCM, float, A-law, µ-law and two ADPCM variants.
 * `EXTENSIBLE` is the format that names one of these in a separate field.
 */
const STEADY: ReadonlySet<number> = new Set([1, 3, 6, 7, 2, 0x11])
const EXTENSIBLE = 0xfffe
const RATE_MAX = 192_000
const CHANNELS_MAX = 8
const BITS_MAX = 32

/**
 * Computes the length from sample rate, channels and bits, as players do; the byte rate in the header is
 * ignored. The result is at least what all bytes of the file take at that rate, or at 320 kbit/s if the
 * computed rate is lower or impossible. `undefined`: the samples are compressed, so only a decoder could
 * count them. http://soundfile.sapp.org/doc/WaveFormat/
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

/** Returns 0 for values that no recording has. */
function rateAt(bytes: Buffer, at: number): number {
  const channels = bytes.readUInt16LE(at + 2)
  const rate = bytes.readUInt32LE(at + 4)
  const bits = bytes.readUInt16LE(at + 14)
  const isPossible = channels <= CHANNELS_MAX && rate <= RATE_MAX && bits <= BITS_MAX
  return isPossible ? (rate * channels * bits) / 8 : 0
}

interface Data {
  readonly bytesPerSecond: number
  /** Bytes from the start of the audio data to the end of the file. */
  readonly data: number
  /** Size according to the data chunk; streams do not know it in advance. */
  readonly size: number
}

function lengthOf(bytes: Buffer, { bytesPerSecond, data, size }: Data): AudioLength {
  const least = bytes.length / Math.max(DENSEST, bytesPerSecond)
  if (bytesPerSecond === 0) return { seconds: least, isMeasured: false }
  return { seconds: Math.max(Math.min(size, data) / bytesPerSecond, least), isMeasured: true }
}
