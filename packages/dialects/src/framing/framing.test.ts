import { crc32 } from 'node:zlib'
import { array, assert, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventStreamReader, type EventStreamFrame } from './event-stream.ts'
import { JsonListReader } from './json-list.ts'
import { NdjsonReader } from './ndjson.ts'

const SEED = 20_260_411

/** Cuts bytes into pieces, some of them empty. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

function readLines(pieces: readonly Buffer[]): string[] {
  const reader = new NdjsonReader({ lineBytesMax: 1000 })
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()].map((line) =>
    line.toString().trimEnd(),
  )
}

describe('NdjsonReader', () => {
  it('reads the same lines wherever the bytes are cut', () => {
    const whole = Buffer.from('{"a":1}\n\r\n{"text":"Salz, 塩 🧂"}\r\n   \n{"done":true}')
    const lines = ['{"a":1}', '{"text":"Salz, 塩 🧂"}', '{"done":true}']
    assert(
      property(array(nat(), { maxLength: 20 }), (places) => {
        expect(readLines(cut(whole, places))).toEqual(lines)
      }),
      { seed: SEED },
    )
  })

  it('enforces the line limit even before the line ends', () => {
    const reader = new NdjsonReader({ lineBytesMax: 10 })
    expect(reader.push(Buffer.from('0123456789\n'))).toHaveLength(1)
    expect(reader.push(Buffer.from('01234'))).toEqual([])
    expect(() => reader.push(Buffer.from('567890'))).toThrow(/answer_too_large/)
  })
})

function readItems(pieces: readonly Buffer[]): string[] {
  const reader = new JsonListReader({ itemBytesMax: 1000 })
  return pieces.flatMap((piece) => reader.push(piece)).map(String)
}

describe('JsonListReader', () => {
  const items = ['{"a":[1,{"b":"]}, \\" 塩"}]}', '{}', '{"text":"x\\\\"}']
  it('reads the same items wherever the bytes are cut, with any white space between them', () => {
    const whole = Buffer.from(` [${items.join(' ,\r\n')}  ]`)
    assert(
      property(array(nat(), { maxLength: 20 }), (places) => {
        expect(readItems(cut(whole, places))).toEqual(items)
      }),
      { seed: SEED },
    )
  })

  it('leaves out an item that is too long, even one that never ends', () => {
    const long = `{"picture":"${'A'.repeat(2000)}"}`
    expect(readItems([Buffer.from(`[{"a":1},${long},{"b":2}`)])).toEqual(['{"a":1}', '{"b":2}'])
    expect(readItems([Buffer.from('[{"a":1},'), Buffer.from(long.slice(0, 1500))])).toEqual(['{"a":1}'])
  })

  it.each(['', '{"error":{"code":500}}', 'oops', ']]]{}', '"[{}]"'])(
    'returns no items if the text is not a list: %s',
    (text) => {
      expect(readItems([Buffer.from(text)])).toEqual([])
    },
  )
})

function plain({ headers, payload }: EventStreamFrame): unknown[] {
  return [Object.fromEntries(headers), payload.toString()]
}

function read(pieces: readonly Buffer[]): { frames: unknown[][]; isInside: boolean } {
  const reader = new EventStreamReader({ frameBytesMax: 1000 })
  const frames = pieces.flatMap((piece) => reader.push(piece)).map(plain)
  return { frames, isInside: reader.isInside }
}

describe('AWS event stream', () => {
  /** Example from AWS: one `chunk` frame with the inner event `{"type":"message_stop"}`. */
  const vector = Buffer.from(
    '000000870000004b87ea2bf30b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174' +
      '696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f696257567a63' +
      '32466e5a56397a64473977496e303d227dba48ab22',
    'hex',
  )
  const one = [
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    '{"bytes":"eyJ0eXBlIjoibWVzc2FnZV9zdG9wIn0="}',
  ]
  it('reads the frame from the AWS documentation', () => {
    expect(read([vector])).toEqual({ frames: [one], isInside: false })
  })

  it('reads the same frames wherever the bytes are cut', () => {
    const whole = Buffer.concat([vector, frame({ type: 9, value: Buffer.alloc(16) }), vector])
    assert(
      property(array(nat(), { maxLength: 20 }), (places) => {
        expect(read(cut(whole, places))).toEqual({ frames: [one, [{}, 'p'], one], isInside: false })
      }),
      { seed: SEED },
    )
  })

  it('skips headers that are not strings', () => {
    for (const [type, bytes] of [0, 0, 1, 2, 4, 8].entries())
      expect(read([frame({ type, value: Buffer.alloc(bytes) })]).frames).toEqual([[{}, 'p']])
    const binary = Buffer.from([0, 3, 1, 2, 3])
    expect(read([frame({ type: 6, value: binary })]).frames).toEqual([[{}, 'p']])
  })

  it('rejects a frame with any single bit flipped', () => {
    for (let bit = 0; bit < vector.length * 8; bit++) {
      const wrong = Buffer.from(vector)
      wrong.writeUInt8(wrong.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => read([wrong])).toThrow(/bad_response_body/)
    }
  })

  it('rejects headers that exceed the frame, and frames over the limit', () => {
    expect(() => read([frame({ type: 7, value: Buffer.from([0xff, 0xff]) })])).toThrow(/bad_response_body/)
    expect(() => new EventStreamReader({ frameBytesMax: 134 }).push(vector)).toThrow(/answer_too_large/)
  })

  it('reports that a stream ended inside a frame', () => {
    expect(read([vector.subarray(0, 50)])).toEqual({ frames: [], isInside: true })
  })
})

/** Builds a frame with one header `h` of the given type, and the payload `p`. */
function frame({ type, value }: { type: number; value: Buffer }): Buffer {
  const headers = Buffer.concat([Buffer.from([1, 0x68, type]), value])
  const bytes = Buffer.alloc(12 + headers.length + 1 + 4)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(headers.length, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  headers.copy(bytes, 12)
  bytes.write('p', 12 + headers.length)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, bytes.length - 4)), bytes.length - 4)
  return bytes
}
