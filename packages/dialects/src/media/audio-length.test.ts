import { assert, property, uint8Array } from 'fast-check'
import { expect, test, vi } from 'vitest'
import { audioLength } from './audio-length.ts'

/** Builders of silent audio files with headers as the format specifications define them. */

interface WaveHeader {
  readonly code?: number
  readonly channels?: number
  readonly rate?: number
  readonly bits?: number
  readonly bytesPerSecond?: number
  readonly dataBytes?: number
}

function wave(seconds: number, header: WaveHeader = {}): Buffer {
  const { code = 1, channels = 1, rate = 8000, bits = 8 } = header
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(code, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(header.bytesPerSecond ?? 8000, 28)
  head.writeUInt16LE(bits, 34)
  head.write('data', 36, 'latin1')
  // In a streamed WAV the size in the header is unknown; the bytes that arrived count.
  head.writeUInt32LE(header.dataBytes ?? 0xffff_ffff, 40)
  return Buffer.concat([head, Buffer.alloc(seconds * 8000)])
}

/** MPEG 1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes and 1152 samples per frame. */
function mpeg(frames: number): Buffer {
  const tag = Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x02xx', 'latin1')
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xfffb9000)
  return Buffer.concat([tag, ...Array.from({ length: frames }, () => frame)])
}

function flac(samples: number): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write('fLaC', 0, 'latin1')
  bytes.writeUIntBE(48_000 << 4, 18, 3)
  bytes.writeUInt32BE(samples, 22)
  return bytes
}

function ogg(samples: bigint): Buffer {
  const first = Buffer.alloc(64)
  first.write('OggS', 0, 'latin1')
  first.writeUInt8(1, 26)
  first.write('OpusHead', 28, 'latin1')
  const last = Buffer.alloc(40)
  last.write('OggS', 0, 'latin1')
  last.writeBigUInt64LE(samples, 6)
  return Buffer.concat([first, last])
}

function mp4(length: number): Buffer {
  const bytes = Buffer.alloc(16 + 8 + 8 + 100)
  bytes.writeUInt32BE(16, 0)
  bytes.write('ftypM4A ', 4, 'latin1')
  bytes.writeUInt32BE(116, 16)
  bytes.write('moov', 20, 'latin1')
  bytes.writeUInt32BE(108, 24)
  bytes.write('mvhd', 28, 'latin1')
  bytes.writeUInt32BE(1000, 32 + 12)
  bytes.writeUInt32BE(length, 32 + 16)
  return bytes
}

test.each([
  ['WAV', wave(3), 3, true],
  ['MP3', mpeg(100), (100 * 1152) / 44_100, true],
  ['FLAC', flac(96_000), 2, false],
  ['Ogg', ogg(240_000n), 5, false],
  ['MP4', mp4(1500), 1.5, false],
])('the length of a %s file is read', (_name, bytes, seconds, isMeasured) => {
  expect(audioLength(bytes)).toEqual({ seconds: expect.closeTo(seconds, 6), isMeasured })
})

test('the length of a WAV follows from its samples, whatever byte rate its header claims', () => {
  const minutes = wave(300, { bytesPerSecond: 0xffff_ffff })
  expect(audioLength(minutes)).toEqual({ seconds: 300, isMeasured: true })
  const stereo = wave(3, { channels: 2, rate: 48_000, bits: 16 })
  expect(audioLength(stereo)?.seconds).toBeCloseTo((3 * 8000) / 192_000, 2)
})

test.each([
  ['a rate', { rate: 0xffff_ffff }],
  ['a number of channels', { channels: 60_000 }],
  ['a number of bits', { bits: 64_000 }],
  ['no bits', { bits: 0 }],
  ['a size of its sound', { dataBytes: 10 }],
])(
  'a WAV whose header has an impossible value (%s) gets the length of a 320 kbit/s file of its size',
  (_name, header) => {
    const bytes = wave(300, header)
    expect(audioLength(bytes)?.seconds).toBe(bytes.length / 40_000)
  },
)

test('the length of a WAV with compressed samples is unknown', () => {
  expect(audioLength(wave(300, { code: 0x55 }))).toBeUndefined()
})

test('measuring an MP3 continues after bytes that are not a frame', () => {
  const broken = Buffer.concat([mpeg(1), Buffer.alloc(200), mpeg(11_999)])
  expect(audioLength(broken)).toEqual({
    seconds: expect.closeTo((12_000 * 1152) / 44_100, 0),
    isMeasured: true,
  })
})

test('an MP3 with mostly other bytes gets at least the length of a 320 kbit/s file of its size', () => {
  const bytes = Buffer.concat([mpeg(2), Buffer.alloc(4_000_000)])
  expect(audioLength(bytes)).toEqual({ seconds: bytes.length / 40_000, isMeasured: false })
})

test('an Ogg file whose last page claims almost no time gets the length of a 512 kbit/s file of its size', () => {
  const bytes = Buffer.concat([ogg(1n).subarray(0, 64), Buffer.alloc(640_000), ogg(1n).subarray(64)])
  expect(audioLength(bytes)?.seconds).toBe(bytes.length / 64_000)
})

const box = (name: string, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}
const words = (...values: readonly (number | string)[]) =>
  Buffer.concat(
    values.map((value) => {
      const word = Buffer.alloc(4)
      if (typeof value === 'string') word.write(value, 'latin1')
      else word.writeUInt32BE(value)
      return word
    }),
  )
const track = (handler: string, codec: string, size: number) =>
  box(
    'trak',
    box(
      'mdia',
      box('hdlr', words(0, 0, handler)),
      box('minf', box('stbl', box('stsd', words(0, 1, 8, codec)), box('stsz', words(0, size, 1)))),
    ),
  )
/** An MP4 whose header claims 1.5 seconds. */
const film = (tracks: readonly Buffer[], bytes: number) =>
  Buffer.concat([
    box('ftyp', words('M4A ')),
    box('moov', box('mvhd', words(0, 0, 0, 1000, 1500)), ...tracks),
    box('mdat', Buffer.alloc(bytes)),
  ])

test('an MP4 whose header claims almost no time gets the length of a 320 kbit/s file of its size', () => {
  const bytes = film([track('soun', 'mp4a', 4_000_000)], 4_000_000)
  expect(audioLength(bytes)?.seconds).toBe(bytes.length / 40_000)
  const bare = Buffer.concat([mp4(1500), box('mdat', Buffer.alloc(4_000_000))])
  expect(audioLength(bare)?.seconds).toBe(bare.length / 40_000)
})

test('the bytes of the video track of an MP4 do not count as audio', () => {
  const bytes = film([track('vide', 'avc1', 3_600_000), track('soun', 'mp4a', 400_000)], 4_000_000)
  expect(audioLength(bytes)?.seconds).toBe((bytes.length - 3_600_000) / 40_000)
})

test.each([
  ['sound called pictures', [track('vide', 'mp4a', 4_000_000)]],
  [
    'pictures that are said to stand where the sound is',
    [track('vide', 'avc1', 4_000_000), track('soun', 'mp4a', 4_000_000)],
  ],
])('%s do not shorten the length of an MP4', (_name, tracks) => {
  expect(audioLength(film(tracks, 4_000_000))?.seconds).toBeGreaterThanOrEqual(100)
})

/** A frame of 4,608 samples of 16 bits in two channels at 44.1 kHz, with a valid checksum. */
function flacFrame(bytes: number): Buffer {
  const frame = Buffer.alloc(bytes)
  frame.set([0xff, 0xf8, 0x59, 0x18, 0x00])
  let sum = 0
  for (const byte of frame.subarray(0, 5)) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80 ? ((sum << 1) ^ 0x07) & 0xff : sum << 1
  }
  frame[5] = sum
  return frame
}

test('the length of a FLAC follows from its frames, however dense, and not from its header', () => {
  const frames = Array.from({ length: 300 }, () => flacFrame(12_000))
  const length = audioLength(Buffer.concat([flac(1), ...frames]))
  expect(length).toEqual({ seconds: expect.closeTo((300 * 4_608) / 44_100, 1), isMeasured: true })
})

test('bytes of a FLAC that belong to no frame count as 320 kbit/s, even if the header claims almost no time', () => {
  const bytes = Buffer.concat([flac(1), Buffer.alloc(4_000_000)])
  expect(audioLength(bytes)?.seconds).toBe(bytes.length / 40_000)
  const one = Buffer.concat([flac(1), flacFrame(12_000), Buffer.alloc(4_000_000)])
  expect(audioLength(one)?.seconds).toBeGreaterThan(99)
})

/** Measures a file and counts the places at which a frame was looked for. */
function measured(bytes: Buffer) {
  const search = vi.spyOn(bytes, 'indexOf')
  const length = audioLength(bytes)
  return { seconds: length?.seconds, places: search.mock.calls.length }
}

test.each([[[0xff, 0xf8]], [[0xff, 0xff]], [[0]]])(
  'a FLAC full of %j is searched for frames at a limited number of places',
  (fill) => {
    const bytes = Buffer.concat([flac(1), Buffer.alloc(32 * 1024 * 1024, Buffer.from(fill))])
    const { seconds, places } = measured(bytes)
    expect(seconds).toBeGreaterThanOrEqual(bytes.length / 40_000)
    expect(places).toBeLessThanOrEqual(200_001)
  },
)

test.each([
  ['nothing but beginnings of frames', 0xff],
  ['nothing but zeros', 0],
])('an MP3 of %s is searched for frames at a limited number of places', (_name, byte) => {
  const bytes = Buffer.concat([mpeg(1), Buffer.alloc(32 * 1024 * 1024, byte)])
  const { seconds, places } = measured(bytes)
  expect(seconds).toBeGreaterThanOrEqual(bytes.length / 40_000)
  expect(places).toBeLessThanOrEqual(20_000)
})

test('a file of an unknown format has no length, and damaged files cause no error or endless loop', () => {
  expect(audioLength(Buffer.from('hello'))).toBeUndefined()
  expect(audioLength(flac(0))).toBeUndefined()
  const seeds = [wave(0), mpeg(1), flac(1), ogg(1n), mp4(1)].map((bytes) => bytes.subarray(0, 12))
  const files = property(uint8Array({ maxLength: 300 }), (tail) => {
    for (const seed of seeds) {
      const length = audioLength(Buffer.concat([seed, tail]))
      expect(length === undefined || length.seconds > 0).toBe(true)
    }
  })
  assert(files)
})
