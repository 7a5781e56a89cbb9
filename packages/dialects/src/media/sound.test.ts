import { expect, it } from 'vitest'
import { readAsk } from '../ask.ts'
import { SpeechMeter } from './sound.ts'

/** In these tests a minute of speech is 1,000 tokens, whatever the format. */

const ask = (members: object = {}) =>
  readAsk('speech', Buffer.from(JSON.stringify({ model: 'gpt-4o-mini-tts', input: 'hi', ...members })))

/** Counts the tokens of audio that arrives in pieces. */
function counted(bytes: Buffer, members: object = {}): number {
  const reader = new SpeechMeter({ ask: ask(members), type: 'audio/any', readUsage: () => undefined })
  for (let at = 0; at < bytes.length; at += 1000) reader.push(bytes.subarray(at, at + 1000))
  return reader.end().outputTokensCounted
}

function wave(seconds: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt32LE(48_000, 28)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(0xffff_ffff, 40)
  return Buffer.concat([head, Buffer.alloc(seconds * 48_000)])
}

/** MPEG 1 layer III, 128 kbit/s, 44.1 kHz: 38.28 frames of 417 bytes per second. */
function mpeg(frames: number): Buffer {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xfffb9000)
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

/** An Opus file whose last page ends at the given sample, at 48,000 samples per second. */
function ogg(samples: bigint): Buffer {
  const first = Buffer.alloc(64)
  first.write('OggS', 0, 'latin1')
  first.writeUInt8(1, 26)
  first.write('OpusHead', 28, 'latin1')
  const last = Buffer.alloc(5000)
  last.write('OggS', 0, 'latin1')
  last.writeBigUInt64LE(samples, 6)
  return Buffer.concat([first, Buffer.alloc(20_000), last])
}

it.each([
  ['wave', wave(2), 33],
  ['MPEG', mpeg(100), 50],
  ['Ogg', ogg(240_000n), 83],
  ['Ogg that claims an hour', ogg(172_800_000n), 283],
  ['a wave of no rate', Buffer.concat([Buffer.from('RIFF....WAVE'), Buffer.alloc(2036)]), 2],
  ['something else', Buffer.alloc(10_240), 10],
  ['nothing', Buffer.alloc(0), 0],
])('counts the tokens of %s', (_name, bytes, tokens) => {
  expect(counted(bytes)).toBe(tokens)
})

it('the length of raw samples follows from their bytes', () => {
  expect(counted(Buffer.alloc(96_000), { response_format: 'pcm' })).toBe(33)
})
