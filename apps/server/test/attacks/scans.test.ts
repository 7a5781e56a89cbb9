import { Buffer } from 'node:buffer'
import { readAsk } from '@tollgate/dialects/ask'
import { JsonListReader } from '@tollgate/dialects/framing/json-list'
import { NdjsonReader } from '@tollgate/dialects/framing/ndjson'
import { callerLimits, parseText } from '@tollgate/dialects/json-limits'
import { scanObject } from '@tollgate/dialects/json-scan'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'
import { foldName } from '@tollgate/kit/fold-name'
import { checkedMembers } from '@tollgate/dialects/checked/members'
import { audioLength } from '@tollgate/dialects/media/audio-length'
import { readForm, textsOf, writeForm } from '@tollgate/dialects/media/form'
import { scrub } from '@tollgate/dialects/errors/scrub'
import { readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import { readCallerFrame } from '@tollgate/dialects/realtime/caller-frame'
import { estimateTokens } from '@tollgate/dialects/tokens/estimate'
import { sizeOfDataUrl } from '@tollgate/dialects/tokens/image-size'
import { withLatinLetters } from '@tollgate/kit/look-alikes'
import { Problem } from '@tollgate/problems/problem'
import { redact } from '@tollgate/kit/redact'
import { withoutTrailing } from '@tollgate/kit/without-trailing'
import { withoutVideoOrders } from '@tollgate/providers/tasks/ark'
import { DRAWING_MODES, withoutPromptFlags } from '@tollgate/providers/tasks/prompt-flags'
import { afterAll, describe, expect, test } from 'vitest'
import { wordFilter } from '../../src/snapshots/word-filter.ts'
import { parseJsonBody } from '../../src/edge/json-body.ts'
import { BodyBytes } from '../../src/relay/stations/admit/body-bytes.ts'
import { textsIn } from '../../src/relay/stations/admit/texts-in.ts'
import { filled, growthOf, type Scan } from './growth.ts'
import { chosen, reportAttacks } from './index.ts'
import { answerScans } from './scans/answers.ts'
import { requestScans } from './scans/requests.ts'

/** The time of every scan of bytes from callers and upstreams must grow at most linearly with their size. */

let count = 0
afterAll(() => reportAttacks({ kind: 'scans', count }))

function grownIn<Input>(group: string, scans: readonly Scan<Input>[]): readonly string[] {
  return scans.flatMap((scan) => {
    const { isTooMuch, smallMs, largeMs } = growthOf(scan)
    count++
    return isTooMuch ? [`${group}: ${scan.name} (${smallMs.toFixed(1)} -> ${largeMs.toFixed(1)} ms)`] : []
  })
}

/** Refusals are timed as well. */
function orRefused(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const units = [
  ' ',
  '\n',
  '"',
  '\\',
  '\\"',
  '\\u0061',
  'a',
  '汉',
  '😀',
  '{',
  '[',
  '[]',
  '{},',
  ',',
  ':',
  '0',
  '-',
  '--dur ',
  '--dur',
  '--fast ',
  '<',
  '<think>',
  '/',
  '=',
  '\0',
  '\r\n--x',
  'sk-',
  '%00',
  'ſ',
  'data:',
] as const

function textScans(unit: string): readonly Scan<string>[] {
  const input = (size: number) => filled(unit, size)
  const filter = wordFilter(['regex:(a|b)*c', 'regex:\\s+x', 'forbidden', 'needle'], () => undefined)
  const runs: Readonly<Record<string, (text: string) => unknown>> = {
    'orders of a video': withoutVideoOrders,
    'modes of a drawing': (text) => withoutPromptFlags(text, DRAWING_MODES),
    'trailing signs': (text) => withoutTrailing(`${text}x`, unit),
    'refused words': (text) => filter?.find(text.slice(0, 64 * 1024)),
    texts: (text) => textsIn({ prompt: text, image: text }),
    tokens: estimateTokens,
    redacting: redact,
    scrubbing: scrub,
    'look-alikes': withLatinLetters,
    'folding a name': foldName,
    'JSON in a text': parseText,
    'a body of the console': (text) => parseJsonBody(`{"a":${JSON.stringify(text)}}`),
    'the size of a picture': (text) => sizeOfDataUrl(`data:image/png;base64,${text}`),
  }
  return Object.entries(runs).map(([name, run]) => ({
    name,
    input,
    run: (text) => orRefused(() => run(text)),
  }))
}

const CHAT = '"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]'
const JSON_HEAD = Buffer.from(`{${CHAT},"x":`)

function crumbs(bytes: Buffer, take: (crumb: Buffer) => unknown): void {
  for (let at = 0; at < bytes.length; at += 50) take(bytes.subarray(at, at + 50))
}

function scan(name: string, input: (size: number) => Buffer, run: (bytes: Buffer) => unknown): Scan<Buffer> {
  return { name, input, run: (bytes) => orRefused(() => run(bytes)) }
}

function bytesScans(unit: string): readonly Scan<Buffer>[] {
  const text = (size: number) => Buffer.from(filled(unit, size))
  const inText = (size: number) =>
    Buffer.concat([JSON_HEAD, Buffer.from(JSON.stringify(filled(unit, size))), Buffer.from('}')])
  const bare = (size: number) => Buffer.concat([JSON_HEAD, text(size)])
  const form = (size: number) =>
    Buffer.from(`--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${filled(unit, size)}\r\n--x--\r\n`)
  const boundary = 'multipart/form-data; boundary=x'
  return [
    scan('scanning', bare, (bytes) => scanObject(bytes, callerLimits, checkedMembers.chat)),
    scan('scanning without limits', bare, (bytes) => scanObject(bytes)),
    scan('scanning a text', inText, (bytes) => scanObject(bytes, callerLimits, checkedMembers.chat)),
    scan('reading', inText, (bytes) => readAsk('chat', bytes)),
    scan('splicing', inText, (bytes) => spliceTopLevel(bytes, { set: { model: 'b', y: 1 } })),
    scan('a form', form, (bytes) => {
      const read = readForm(bytes, boundary)
      return writeForm(read, textsOf(read))
    }),
    scan('the length of a recording', text, audioLength),
    scan('an error of an upstream', inText, (bytes) => readUpstreamError(400, bytes)),
    scan('a frame of a session', inText, readCallerFrame),
    scan('collecting crumbs', text, (bytes) => {
      const body = new BodyBytes(2 ** 25)
      crumbs(bytes, (crumb) => body.add(crumb))
      return body.whole()
    }),
    scan('lines of JSON', text, (bytes) => {
      const reader = new NdjsonReader({ lineBytesMax: 256 * 1024 })
      crumbs(bytes, (crumb) => reader.push(crumb))
    }),
    scan('a list of JSON', text, (bytes) => {
      const reader = new JsonListReader({ itemBytesMax: 256 * 1024 })
      crumbs(bytes, (crumb) => reader.push(crumb))
    }),
  ]
}

const repeated = (size: number) => Buffer.from(`{${filled('"temperature":1,', size - (size % 16))}${CHAT}}`)
const different = (size: number) =>
  Buffer.from(
    `{${Array.from({ length: size / 16 }, (_, at) => `"m${String(at).padStart(8, '0')}":1`).join(',')},${CHAT}}`,
  )

const members: readonly Scan<Buffer>[] = [
  {
    name: 'a member that is set and said many times',
    input: repeated,
    run: (bytes) => spliceTopLevel(bytes, { set: { temperature: 2 } }),
  },
  {
    name: 'a member that is removed and said many times',
    input: repeated,
    run: (bytes) => spliceTopLevel(bytes, { set: {}, remove: ['temperature'] }),
  },
  {
    name: 'a member among many',
    input: different,
    run: (bytes) => spliceTopLevel(bytes, { set: { model: 'b' } }),
  },
  {
    name: 'judging many members',
    input: different,
    run: (bytes) => scanObject(bytes, undefined, checkedMembers.chat),
  },
]

describe('the time of every scan grows at most linearly with its input', () => {
  test('the time for members of an object grows at most linearly', () => {
    expect(grownIn('members', members)).toEqual([])
  })

  test.each(chosen(units, 10).map((unit) => [JSON.stringify(unit), unit] as const))(
    'the time for texts of %s grows at most linearly',
    (name, unit) => {
      expect(grownIn(name, textScans(unit))).toEqual([])
    },
  )

  test.each(chosen(units, 10).map((unit) => [JSON.stringify(unit), unit] as const))(
    'the time for bodies of %s grows at most linearly',
    (name, unit) => {
      expect(grownIn(name, bytesScans(unit))).toEqual([])
    },
  )

  test.each(chosen(requestScans(), 24).map((group) => [group.name, group] as const))(
    'the time for requests of %s grows at most linearly',
    (name, { scans }) => {
      expect(grownIn(name, scans())).toEqual([])
    },
  )

  test.each(chosen(answerScans(), 18).map((group) => [group.name, group] as const))(
    'the time for responses of %s grows at most linearly',
    (name, { scans }) => {
      expect(grownIn(name, scans())).toEqual([])
    },
  )
})
