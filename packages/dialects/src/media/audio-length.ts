import { flacLength } from './flac-length.ts'
import { mp4Length } from './mp4-length.ts'
import { afterTag, frameAt, isMpeg, mpegLength } from './mpeg-length.ts'
import type { AudioLength } from './recording.ts'
import { waveLength } from './wave-length.ts'

/**
 * Length of an audio file without decoding it; `undefined` for unknown formats and for files whose content
 * does not match their format.
 */
export function audioLength(bytes: Buffer): AudioLength | undefined {
  const length = formats.find(({ isIt }) => isIt(bytes))?.read(bytes)
  return length !== undefined && length.seconds > 0 && length.seconds < SECONDS_MAX ? length : undefined
}

/**
 * Facts kept about audio that was streamed: its beginning, its end if the format has timestamps there, and
 * its number of bytes.
 */
export interface StreamedAudio {
  readonly head: Buffer
  readonly tail: Buffer
  readonly bytes: number
}

/** Ogg: every page has a timestamp, so the last page tells the total length. */
export const isPaged = begins('OggS')
const isWave = begins('RIFF')

/** Length of streamed audio of which only {@link StreamedAudio} was kept. */
export function streamedSeconds({ head, tail, bytes }: StreamedAudio): number | undefined {
  const seconds = isPaged(head) ? oggSeconds(Buffer.concat([head, tail])) : steadySeconds(head, bytes)
  return seconds !== undefined && seconds > 0 && seconds < SECONDS_MAX ? seconds : undefined
}

/** Assumes a constant bit rate: extrapolates from the header or from the first frame. */
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
  readonly read: (bytes: Buffer) => AudioLength | undefined
}

const formats: readonly Format[] = [
  { isIt: isWave, read: waveLength },
  { isIt: begins('fLaC'), read: flacLength },
  { isIt: isPaged, read: (bytes) => reported(atLeast(oggSeconds(bytes), bytes.length / DENSEST_OGG)) },
  { isIt: (bytes) => textAt(bytes, 4, 4) === 'ftyp', read: mp4Length },
  { isIt: isMpeg, read: mpegLength },
]

/**
 * Highest plausible bytes per second of an Ogg file: 512 kbit/s. This gives a minimum length for its size.
 */
const DENSEST_OGG = 64_000

/** A length that was only read from a header. */
function reported(seconds: number | undefined): AudioLength | undefined {
  return seconds === undefined ? undefined : { seconds, isMeasured: false }
}

function atLeast(seconds: number | undefined, least: number): number | undefined {
  return seconds === undefined || Number.isNaN(seconds) ? undefined : Math.max(seconds, least)
}

function begins(mark: string): (bytes: Buffer) => boolean {
  return (bytes) => textAt(bytes, 0, mark.length) === mark
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length)
}

/** The last page holds the position of its last sample. https://www.rfc-editor.org/rfc/rfc3533 */
function oggSeconds(bytes: Buffer): number | undefined {
  const last = bytes.lastIndexOf('OggS')
  if (bytes.length < 64 || last + 14 > bytes.length) return undefined
  const head = 27 + bytes.readUInt8(26)
  const samples = Number(bytes.readBigUInt64LE(last + 6))
  if (textAt(bytes, head, 8) === 'OpusHead') return samples / 48_000
  if (textAt(bytes, head, 7) !== '\x01vorbis' || head + 16 > bytes.length) return undefined
  return samples / bytes.readUInt32LE(head + 12)
}
