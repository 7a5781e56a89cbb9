import { randomBytes } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

/** Request bodies that cost the reader more than their sender. */
export interface HostileBody {
  readonly name: string
  readonly text: string | Buffer
  /** Value of `content-encoding`; the body is sent unencoded when absent. */
  readonly coding?: string
  /** Expected error code; `any` where several would be right. */
  readonly code: string
  /** Path of the request; chat completions when absent. */
  readonly path?: string
}

const CHAT = '"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]'
const VALUES_MAX = 200_000
const MEMBERS_MAX = 10_000
const DEPTH_MAX = 64

/** Places in a request where a caller may write arbitrary JSON. */
const places: readonly (readonly [name: string, around: (json: string) => string])[] = [
  ['an unknown member', (json) => `{${CHAT},"x":${json}}`],
  ['the content of a message', (json) => `{"model":"gpt-4o","messages":[{"role":"user","content":${json}}]}`],
  ['a message', (json) => `{"model":"gpt-4o","messages":[{"role":"user","content":"hi","x":${json}}]}`],
  [
    'a tool',
    (json) => `{${CHAT},"tools":[{"type":"function","function":{"name":"f","parameters":${json}}}]}`,
  ],
  ['a response format', (json) => `{${CHAT},"response_format":{"type":"json_schema","json_schema":${json}}}`],
  ['metadata', (json) => `{${CHAT},"metadata":${json}}`],
  ['the first member', (json) => `{"x":${json},${CHAT}}`],
]

/** JSON with too many values. */
const manyValues: readonly (readonly [name: string, json: string])[] = [
  ['empty lists', `[${'[],'.repeat(VALUES_MAX)}0]`],
  ['empty objects', `[${'{},'.repeat(VALUES_MAX)}0]`],
  ['numbers', `[${'0,'.repeat(VALUES_MAX)}0]`],
  ['texts', `[${'"",'.repeat(VALUES_MAX)}0]`],
  ['nulls', `[${'null,'.repeat(VALUES_MAX)}0]`],
  ['pairs', `[${'[1,2],'.repeat(VALUES_MAX / 2)}0]`],
  ['small objects', `[${'{"a":1},'.repeat(VALUES_MAX / 2)}0]`],
  ['spaced numbers', `[${'0 ,\n'.repeat(VALUES_MAX)}0]`],
]

/** JSON with too many members in one object. */
const manyMembers: readonly (readonly [name: string, json: string])[] = [
  ['one name', `{${'"a":1,'.repeat(MEMBERS_MAX)}"a":1}`],
  ['different names', `{${Array.from({ length: MEMBERS_MAX + 1 }, (_, at) => `"n${at}":1`).join(',')}}`],
  ['empty names', `{${'"":[],'.repeat(MEMBERS_MAX)}"":1}`],
  ['escaped names', `{${'"\\u0061":1,'.repeat(MEMBERS_MAX)}"a":1}`],
  ['names of commas', `{${'",,,":1,'.repeat(MEMBERS_MAX)}"a":1}`],
]

const deep: readonly (readonly [name: string, json: string])[] = [
  ['lists', nested('[', ']', 100_000)],
  ['objects', nested('{"a":', '}', 100_000, '1')],
  ['both', nested('[{"a":', '}]', 50_000, '1')],
  ['lists by one level', nested('[', ']', DEPTH_MAX)],
  ['lists that never close', '['.repeat(1_000_000)],
  ['objects that never close', '{"a":'.repeat(200_000)],
]

function nested(open: string, close: string, levels: number, inner = ''): string {
  return open.repeat(levels) + inner + close.repeat(levels)
}

const broken: readonly (readonly [name: string, text: string])[] = [
  ['a text that never ends', `{${CHAT},"x":"${'a'.repeat(300_000)}`],
  ['a text of backslashes', `{${CHAT},"x":"${'\\'.repeat(300_001)}`],
  ['a text of escaped quotes', `{${CHAT},"x":"${'\\"'.repeat(150_000)}`],
  ['spaces and nothing', ' '.repeat(500_000)],
  ['an object of spaces', `{${' '.repeat(500_000)}`],
  ['commas', `{${','.repeat(150_000)}}`],
  ['colons', `{"a"${':'.repeat(150_000)}}`],
  ['quotes', '"'.repeat(300_000)],
  ['closing braces', `{${CHAT}}${'}'.repeat(300_000)}`],
  ['zeros', `{${CHAT},"x":${'0'.repeat(300_000)}}`],
  ['a number with no end', `{${CHAT},"x":1${'0'.repeat(300_000)}e}`],
  ['NUL bytes', '\0'.repeat(300_000)],
  ['a list of objects', `[${`{${CHAT}},`.repeat(2_000)}{}]`],
  ['half of a pair of surrogates', `{${CHAT},"x":"\\ud800`],
]

/** Repeats a member that decides the price or that a channel rewrites. */
const repeatedMembers = ['model', 'messages', 'n', 'max_tokens', 'stream'].map((name) => ({
  name: `${name} said 5,000 times`,
  text: `{${`"${name}":1,`.repeat(5_000)}${CHAT}}`,
  code: 'any',
}))

/** Task requests that are complete except for their one hostile member. */
const tasks: readonly HostileBody[] = (
  [
    ['/mj/submit/imagine', 'base64Array'],
    ['/suno/submit/MUSIC', 'tags'],
    ['/v1/video/generations', 'metadata'],
    ['/v1/videos', 'metadata'],
    ['/kling/v1/videos/text2video', 'camera_control'],
  ] as const
).flatMap(([path, member]) => [
  ...deep.map(([name, json]) => ({
    name: `task ${path}: deep ${name}`,
    text: `{"model":"kling-v1","model_name":"kling-v1","prompt":"a","${member}":${json}}`,
    code: 'any',
    path,
  })),
  ...manyValues.slice(0, 4).map(([name, json]) => ({
    name: `task ${path}: many ${name}`,
    text: `{"model":"kling-v1","model_name":"kling-v1","prompt":"a","${member}":${json}}`,
    code: 'any',
    path,
  })),
  ...manyMembers.slice(0, 2).map(([name, json]) => ({
    name: `task ${path}: members, ${name}`,
    text: `{"model":"kling-v1","model_name":"kling-v1","prompt":"a","${member}":${json}}`,
    code: 'any',
    path,
  })),
  {
    name: `task ${path}: a prompt of spaces`,
    text: `{"model":"kling-v1","model_name":"kling-v1","prompt":"${' '.repeat(65_537)}"}`,
    code: 'any',
    path,
  },
  {
    name: `task ${path}: a prompt of orders`,
    text: `{"model":"kling-v1","model_name":"kling-v1","prompt":"${'--dur '.repeat(11_000)}"}`,
    code: 'any',
    path,
  },
])

const packers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
}

/** Compresses with each coding of the list in turn, in the order of `content-encoding`. */
function packed(coding: string, bytes: Buffer): Buffer {
  return coding.split(', ').reduce((inner, each) => packers[each]?.(inner) ?? inner, bytes)
}

/** Larger than the largest permitted body: a chat request padded with spaces. */
const BOMB = Buffer.alloc(40 * 1024 * 1024, ' ', 'latin1')
BOMB.write(`{${CHAT}`)

const bombs: readonly HostileBody[] = [
  'gzip',
  'deflate',
  'br',
  'zstd',
  'zstd, gzip',
  'gzip, zstd',
  'zstd, zstd, zstd',
  'gzip, br, zstd',
].map((coding) => ({
  name: `a bomb packed with ${coding}`,
  text: packed(coding, BOMB),
  coding,
  code: 'body_too_large',
}))

/**
 * Concatenated empty gzip members: each unpacks to nothing, so a small body contains about a million of them.
 */
const EMPTY_FILES = Buffer.alloc(40 * 1024 * 1024, gzipSync(Buffer.alloc(0)))

const codings: readonly HostileBody[] = [
  ...bombs,
  ...['zstd', 'br', 'zstd, zstd'].map((outer) => ({
    name: `empty files packed with ${outer}`,
    text: packed(outer, EMPTY_FILES),
    coding: `gzip, ${outer}`,
    code: 'body_too_large',
  })),
  ...['gzip', 'zstd', 'br'].map((coding) => ({
    name: `${coding} nested ten deep`,
    text: packed(Array.from({ length: 10 }, () => coding).join(', '), Buffer.from(`{${CHAT}}`)),
    coding: Array.from({ length: 10 }, () => coding).join(', '),
    code: 'body_codings_too_many',
  })),
  ...['gzip', 'deflate', 'br', 'zstd'].flatMap((coding) => [
    { name: `noise as ${coding}`, text: randomBytes(300_000), coding, code: 'any' },
    {
      name: `half a body in ${coding}`,
      text: packed(coding, randomBytes(100_000)).subarray(0, 50_000),
      coding,
      code: 'any',
    },
    { name: `a chat that is not ${coding}`, text: `{${CHAT}}`, coding, code: 'any' },
  ]),
  ...['compress', 'x', 'gzip;q=0', ', '.repeat(2_000) + 'lzma'].map((coding) => ({
    name: `the coding ${coding.slice(-12)}`,
    text: `{${CHAT}}`,
    coding,
    code: 'body_coding_unsupported',
  })),
]

export const hostileBodies: readonly HostileBody[] = [
  ...codings,
  ...places.flatMap(([place, around]) => [
    ...manyValues.map(([name, json]) => ({
      name: `many ${name} in ${place}`,
      text: around(json),
      code: 'body_too_many_values',
    })),
    ...manyMembers.map(([name, json]) => ({
      name: `members, ${name}, in ${place}`,
      text: around(json),
      code: 'body_too_many_members',
    })),
    ...deep.map(([name, json]) => ({
      name: `deep ${name} in ${place}`,
      text: around(json),
      code: 'body_too_deep',
    })),
  ]),
  {
    name: '1,001 members of the request itself',
    text: `{${CHAT},${'"x":1,'.repeat(998)}"x":1}`,
    code: 'body_too_many_members',
  },
  ...broken.map(([name, text]) => ({ name, text, code: 'any' })),
  ...repeatedMembers,
  ...tasks,
]
