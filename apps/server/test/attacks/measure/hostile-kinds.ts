import { gzipSync } from 'node:zlib'

/** Hostile calls of one kind: what is sent, and whether the body ever ends. */
export interface HostileKind {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The body never ends; its sender disconnects after a while. */
  readonly isUnfinished: boolean
}

const MIB = 1024 * 1024
const CHAT = '/v1/chat/completions'
const PACKED = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
const PLAIN = { 'content-type': 'application/json' }
const HEAD = '"model":"gpt-4o","max_tokens":5'

function packed(name: string, text: string, path = CHAT): HostileKind {
  return { name, path, headers: PACKED, body: gzipSync(text), isUnfinished: false }
}

function plain(name: string, text: string, path = CHAT): HostileKind {
  return { name, path, headers: PLAIN, body: Buffer.from(text), isUnfinished: false }
}

function content(value: string): string {
  return `{${HEAD},"messages":[{"role":"user","content":${value}}]}`
}

const picture = `"data:image/png;base64,iVBORw0KGgo${'A'.repeat(28 * MIB)}"`

/** The attacks found in a security review, and variations of them. */
export function hostileKinds(): readonly HostileKind[] {
  return [
    packed('30 MiB of lists', content(`[${'[],'.repeat(10 * MIB)}0]`)),
    packed('5 million members', `{${HEAD},"x":{${'"a":1,'.repeat(5_000_000)}"a":1}}`),
    packed('30 MiB of text', content(`"${'word '.repeat(6 * MIB)}"`)),
    packed('28 MiB of a picture', content(`[{"type":"image_url","image_url":{"url":${picture}}}]`)),
    packed('30 MiB of escapes', content(`"${'\\"'.repeat(15 * MIB)}"`)),
    plain(
      'a member said 990 times',
      `{${HEAD},${'"temperature":1,'.repeat(990)}"messages":[{"role":"user","content":"hi"}]}`,
    ),
    plain('100,000 levels', content('['.repeat(100_000))),
    plain('a drawing of spaces', `{"prompt":"a${' '.repeat(150_000)}"}`, '/mj/submit/imagine'),
    plain(
      'a video of spaces',
      `{"model":"doubao-seedance","prompt":"a${' '.repeat(150_000)}"}`,
      '/v1/videos',
    ),
    plain(
      'a drawing of 100,000 levels',
      `{"prompt":"a","base64Array":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      '/mj/submit/imagine',
    ),
    {
      name: 'packed bodies that do not end',
      path: CHAT,
      headers: { ...PACKED, 'transfer-encoding': 'chunked' },
      body: gzipSync(content(`"${'a'.repeat(30 * MIB)}"`)).subarray(0, -8),
      isUnfinished: true,
    },
    {
      name: 'bodies that do not end',
      path: CHAT,
      headers: { ...PLAIN, 'content-length': '30000000' },
      body: Buffer.from(content(`"${'a'.repeat(MIB)}`)),
      isUnfinished: true,
    },
  ]
}
