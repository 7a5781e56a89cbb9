import { expect, test } from 'vitest'
import type { ResponseHead } from './response-head.ts'
import { ResponseReader } from './response-reader.ts'

const HEAD_BYTES_MAX = 1024

interface Seen {
  readonly head: ResponseHead | undefined
  readonly body: string
  readonly isOver: boolean
  /** How long its connection may be idle, up to 45 s. */
  readonly reusableMs: number | undefined
}

interface ReadOptions {
  /** The server closes the connection after its last byte. */
  readonly isClosed?: boolean
  /** Pause whenever something is handed on, and go on after each piece. */
  readonly pauses?: boolean
}

function read(pieces: readonly Buffer[], { isClosed = false, pauses = false }: ReadOptions = {}): Seen {
  let head: ResponseHead | undefined
  let body = ''
  let ends = 0
  let isPaused = false
  const pause = () => {
    if (!pauses) return
    isPaused = true
    reader.pause()
  }
  const reader: ResponseReader = new ResponseReader(
    {
      head: (read) => {
        expect([isPaused, head]).toEqual([false, undefined])
        head = read
        pause()
      },
      data: (bytes) => {
        expect([isPaused, ends]).toEqual([false, 0])
        body += bytes.toString('latin1')
        pause()
      },
      end: () => {
        expect(isPaused).toBe(false)
        ends++
      },
    },
    HEAD_BYTES_MAX,
  )
  for (const piece of pieces) {
    reader.read(Buffer.from(piece))
    for (let turns = 0; isPaused && turns < 100; turns++) {
      isPaused = false
      reader.resume()
    }
  }
  const isOver = (isClosed && reader.close()) || reader.isOver
  expect(ends).toBe(isOver ? 1 : 0)
  return {
    head,
    body,
    isOver,
    reusableMs:
      isOver && reader.isReusable ? Math.min(45_000, reader.announcedMs ?? 45_000) || undefined : undefined,
  }
}

function bytesOf(lines: string): Buffer {
  return Buffer.from(lines.replaceAll('|', '\r\n'), 'latin1')
}

interface Valid {
  readonly text: string
  readonly status?: number
  readonly body: string
  readonly isClosed?: boolean
  readonly reusableMs?: number | undefined
}

const FOR_LONG = 45_000
/** Line ends are written as `|`. */
const VALID: Readonly<Record<string, Valid>> = {
  'a length': { text: 'HTTP/1.1 200 OK|content-length: 5||hello', body: 'hello', reusableMs: FOR_LONG },
  'a length of zero': { text: 'HTTP/1.1 200 OK|Content-Length: 0||', body: '', reusableMs: FOR_LONG },
  'no reason': { text: 'HTTP/1.1 200|content-length: 1||x', body: 'x', reusableMs: FOR_LONG },
  chunks: {
    text: 'HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|6| world|0||',
    body: 'hello world',
    reusableMs: FOR_LONG,
  },
  'chunks with extensions and a trailer': {
    text: 'HTTP/1.1 200 OK|transfer-encoding: Chunked||A;a=b;c="d"|0123456789|00001|!|0;last|etag: x|another: y||',
    body: '0123456789!',
    reusableMs: FOR_LONG,
  },
  'a chunk that holds line ends': {
    text: 'HTTP/1.1 200 OK|transfer-encoding: chunked||6||0|x|0||',
    body: '\r\n0\r\nx',
    reusableMs: FOR_LONG,
  },
  'an interim response before': {
    text: 'HTTP/1.1 100 Continue||HTTP/1.1 103 Early Hints|link: x||HTTP/1.1 201 Created|content-length: 2||ok',
    status: 201,
    body: 'ok',
    reusableMs: FOR_LONG,
  },
  'no content': { text: 'HTTP/1.1 204 No Content||', status: 204, body: '', reusableMs: FOR_LONG },
  'not modified, with the length it would have': {
    text: 'HTTP/1.1 304 Not Modified|content-length: 500||',
    status: 304,
    body: '',
    reusableMs: FOR_LONG,
  },
  'a body until the connection closes': {
    text: 'HTTP/1.1 200 OK|content-type: text/plain||all of it',
    body: 'all of it',
    isClosed: true,
  },
  'another transfer encoding': {
    text: 'HTTP/1.1 200 OK|transfer-encoding: identity||all of it',
    body: 'all of it',
    isClosed: true,
  },
  'an empty body until the connection closes': { text: 'HTTP/1.1 200 OK||', body: '', isClosed: true },
  'a connection that will close': {
    text: 'HTTP/1.1 200 OK|connection: foo, Close|content-length: 2||ok',
    body: 'ok',
  },
  'HTTP/1.0': { text: 'HTTP/1.0 200 OK|content-length: 2||ok', body: 'ok' },
  'HTTP/1.0 that keeps the connection': {
    text: 'HTTP/1.0 200 OK|connection: Keep-Alive|content-length: 2||ok',
    body: 'ok',
    reusableMs: FOR_LONG,
  },
  'a hint how long': {
    text: 'HTTP/1.1 200 OK|keep-alive: timeout=5, max=100|content-length: 2||ok',
    body: 'ok',
    reusableMs: 5_000,
  },
  'a hint of no time': {
    text: 'HTTP/1.1 200 OK|keep-alive: timeout=0|content-length: 2||ok',
    body: 'ok',
  },
  'bytes after its length': { text: 'HTTP/1.1 200 OK|content-length: 2||okHTTP/1.1 200 OK||', body: 'ok' },
  'bytes after its last chunk': {
    text: 'HTTP/1.1 200 OK|transfer-encoding: chunked||2|ok|0||x',
    body: 'ok',
  },
}

test.each(Object.entries(VALID))('%s: read alike wherever its bytes are cut, and with pauses', (_, valid) => {
  const bytes = bytesOf(valid.text)
  const { isClosed = false } = valid
  const whole = read([bytes], { isClosed })
  expect(whole).toMatchObject({ body: valid.body, isOver: true, reusableMs: valid.reusableMs })
  expect(whole.head?.status).toBe(valid.status ?? 200)
  for (const pauses of [false, true]) {
    expect(
      read(
        [...bytes].map((byte) => Buffer.of(byte)),
        { isClosed, pauses },
      ),
    ).toEqual(whole)
    for (let at = 1; at < bytes.length; at++)
      expect(read([bytes.subarray(0, at), bytes.subarray(at)], { isClosed, pauses }), `cut at ${at}`).toEqual(
        whole,
      )
  }
})

test('headers have lower-case names; the values of a repeated one are a list, and none is inherited', () => {
  const fields = 'Content-Length: 0|X-A:  one \t|x-a: two|X-Empty:|constructor: y|X-Latin: \xe9'
  const { head } = read([bytesOf(`HTTP/1.1 200 Fine so far|${fields}||`)])
  expect(head?.statusText).toBe('Fine so far')
  expect(head?.headers).toEqual({
    'content-length': '0',
    'x-a': ['one', 'two'],
    'x-empty': '',
    constructor: 'y',
    'x-latin': '\xe9',
  })
})

test('a response that the connection cuts off is not over', () => {
  for (const text of [
    'HTTP/1.1 200 OK|content-length: 5||hell',
    'HTTP/1.1 200 OK|transfer-encoding: chunked||5|hello|0|',
    'HTTP/1.1 200 OK|content-le',
    'HTTP/1.1 100 Continue||',
  ])
    expect(read([bytesOf(text)], { isClosed: true }).isOver, text).toBe(false)
})

const INVALID: Readonly<Record<string, string>> = {
  'HTTP/2 200 OK|content-length: 0||': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1 20 OK|content-length: 0||': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1  200 OK|content-length: 0||': 'HPE_INVALID_CONSTANT',
  '<html>||': 'HPE_INVALID_CONSTANT',
  '|HTTP/1.1 200 OK|content-length: 0||': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1 101 Switching Protocols|upgrade: x||': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1 200 OK|content-length: 1|content-length: 1||x': 'HPE_INVALID_CONTENT_LENGTH',
  'HTTP/1.1 200 OK|content-length: 1|content-length: 2||x': 'HPE_INVALID_CONTENT_LENGTH',
  'HTTP/1.1 200 OK|content-length: +1||x': 'HPE_INVALID_CONTENT_LENGTH',
  'HTTP/1.1 200 OK|content-length: 1, 1||x': 'HPE_INVALID_CONTENT_LENGTH',
  'HTTP/1.1 200 OK|content-length: 0x1||x': 'HPE_INVALID_CONTENT_LENGTH',
  'HTTP/1.1 200 OK|content-length:||x': 'HPE_INVALID_CONTENT_LENGTH',
  'HTTP/1.1 200 OK|content-length: 1|transfer-encoding: chunked||0||': 'HPE_UNEXPECTED_CONTENT_LENGTH',
  'HTTP/1.1 200 OK|transfer-encoding: gzip, chunked||0||': 'HPE_INVALID_TRANSFER_ENCODING',
  'HTTP/1.1 200 OK|transfer-encoding: chunked|transfer-encoding: chunked||0||':
    'HPE_INVALID_TRANSFER_ENCODING',
  'HTTP/1.1 200 OK|transfer-encoding: chunked, identity||0||': 'HPE_INVALID_TRANSFER_ENCODING',
  'HTTP/1.1 200 OK|transfer-encoding: xchunked||0||': 'HPE_INVALID_TRANSFER_ENCODING',
  'HTTP/1.1 200 OK|no colon||': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|content-length : 1||x': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK| folded: 1||x': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|: 1||x': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|__proto__: 1||x': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|a: b\nc: d||x': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|a: b\rc: d||x': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|a: b\0||x': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|transfer-encoding: chunked|||0||': 'HPE_INVALID_CHUNK_SIZE',
  'HTTP/1.1 200 OK|transfer-encoding: chunked|| 1|x|0||': 'HPE_INVALID_CHUNK_SIZE',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||0x1|x|0||': 'HPE_INVALID_CHUNK_SIZE',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||-1|x|0||': 'HPE_INVALID_CHUNK_SIZE',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||1 |x|0||': 'HPE_INVALID_CHUNK_SIZE',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||000000001|x|0||': 'HPE_INVALID_CHUNK_SIZE',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||1\nx|0||': 'HPE_INVALID_CHUNK_SIZE',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||1;a\nx|0||': 'HPE_INVALID_CHUNK_SIZE',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||1|xy|0||': 'HPE_STRICT',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||1\rx|0||': 'HPE_STRICT',
  'HTTP/1.1 200 OK|transfer-encoding: chunked||1|x\n0||': 'HPE_STRICT',
}

test.each(Object.entries(INVALID))('%j is refused with %s, wherever it is cut', (text, code) => {
  const bytes = bytesOf(text)
  expect(() => read([bytes])).toThrow(expect.objectContaining({ name: 'HTTPParserError', code }))
  expect(() => read([...bytes].map((byte) => Buffer.of(byte)))).toThrow(expect.objectContaining({ code }))
})

const BEGINNINGS: Readonly<Record<string, string>> = {
  'SSH-2.0-OpenSSH_9|': 'HPE_INVALID_CONSTANT',
  '220 mail.test ESMTP|': 'HPE_INVALID_CONSTANT',
  '+OK POP3 ready|': 'HPE_INVALID_CONSTANT',
  '\x16\x03\x03': 'HPE_INVALID_CONSTANT',
  'J\0\0\0\n8.0.36': 'HPE_INVALID_CONSTANT',
  'RFB 003.008\n': 'HPE_INVALID_CONSTANT',
  '<!doctype html>': 'HPE_INVALID_CONSTANT',
  '{"error":"no HTTP"}': 'HPE_INVALID_CONSTANT',
  'http/1.1 200 OK|': 'HPE_INVALID_CONSTANT',
  'HTTP/1.2 200 OK|': 'HPE_INVALID_CONSTANT',
  'HTTP/2': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1 2x': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1 2000': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1 OK|': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1 103 Early|x: 1||SSH-2': 'HPE_INVALID_CONSTANT',
  'HTTP/1.1 200 OK\ncontent-length: 2\n\nok': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|x: a\rb': 'HPE_INVALID_HEADER_TOKEN',
  'HTTP/1.1 200 OK|x: \0': 'HPE_INVALID_HEADER_TOKEN',
}

test.each(Object.entries(BEGINNINGS))(
  'a response that begins with %j is refused at once, wherever it is cut',
  (text, code) => {
    const bytes = bytesOf(text)
    const refusal = expect.objectContaining({ name: 'HTTPParserError', code })
    expect(() => read([bytes])).toThrow(refusal)
    for (let at = 1; at < bytes.length; at++)
      expect(() => read([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toThrow(refusal)
    expect(() => read([...bytes].map((byte) => Buffer.of(byte)))).toThrow(refusal)
  },
)

test('a head, interim responses, extensions and a trailer that are too long are refused', () => {
  const long = 'x'.repeat(HEAD_BYTES_MAX)
  const overflow = expect.objectContaining({ code: 'UND_ERR_HEADERS_OVERFLOW' })
  const head = `HTTP/1.1 200 OK|x: ${long}`
  expect(() => read([bytesOf(`${head}||`)])).toThrow(overflow)
  expect(() => read([bytesOf(head)])).toThrow(overflow)
  expect(() => read([bytesOf(head + long.repeat(8))])).toThrow(overflow)
  expect(() =>
    read(Array.from({ length: 100 }, () => bytesOf(`HTTP/1.1 103 Early Hints|link: x||`))),
  ).toThrow(overflow)
  const chunked = 'HTTP/1.1 200 OK|transfer-encoding: chunked||'
  const tooLong = expect.objectContaining({ code: 'HPE_INVALID_CHUNK_SIZE' })
  expect(() => read([bytesOf(`${chunked}1;${long.repeat(5)}`)])).toThrow(tooLong)
  expect(() => read([bytesOf(`${chunked}0|a: ${long}|b: ${long}|c: ${long}|d: ${long}||`)])).toThrow(tooLong)
})

test('the data of all chunks that arrive together is handed on at once', () => {
  const pieces: string[] = []
  const reader = new ResponseReader(
    { head: () => undefined, data: (bytes) => pieces.push(bytes.toString()), end: () => pieces.push('end') },
    HEAD_BYTES_MAX,
  )
  const chunks = Array.from({ length: 100 }, (_, at) => `${at.toString().length.toString(16)}|${at}|`)
  reader.read(bytesOf('HTTP/1.1 200 OK|transfer-encoding: chunked||'))
  reader.read(bytesOf(chunks.slice(0, 50).join('')))
  reader.read(bytesOf(`${chunks.slice(50).join('')}0||`))
  const numbers = Array.from({ length: 100 }, (_, at) => at)
  expect(pieces).toEqual([numbers.slice(0, 50).join(''), numbers.slice(50).join(''), 'end'])
})
