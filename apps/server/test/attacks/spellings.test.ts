import { readAsk } from '@tollgate/dialects/ask'
import type { CallOperation } from '@tollgate/dialects/conversations'
import { checkedMembers } from '@tollgate/dialects/checked/members'
import { checkedTaskMembers } from '@tollgate/dialects/checked/members'
import { rejectSuspect } from '@tollgate/dialects/checked/refuse'
import type { CheckedShape } from '@tollgate/dialects/checked/shape'
import { callerLimits } from '@tollgate/dialects/json-limits'
import { scanObject } from '@tollgate/dialects/json-scan'
import { readFormAsk } from '@tollgate/dialects/media/read-form-ask'
import { Problem } from '@tollgate/problems/problem'
import { openTaskUpstream, type TaskUpstream } from '@tollgate/testkit/fake-task-upstream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'
import { chosen, reportAttacks } from './index.ts'
import {
  fieldAttacks,
  officialBodies,
  spellingAttacks,
  textAttacks,
  type SpellingAttack,
} from './spellings.ts'

type Body = Readonly<Record<string, unknown>>

const turns = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const bases: Readonly<Record<CallOperation, Body>> = {
  chat: { model: 'gpt-4o', messages: turns },
  messages: { model: 'gpt-4o', messages: turns, max_tokens: 9 },
  responses: { model: 'gpt-4o', input: 'hi' },
  compact: { model: 'gpt-4o', input: 'hi' },
  generate: { contents },
  completions: { model: 'gpt-4o', prompt: 'hi' },
  embeddings: { model: 'gpt-4o', input: 'hi' },
  moderations: { model: 'gpt-4o', input: 'hi' },
  embed: { content: contents[0] },
  rerank: { model: 'gpt-4o', query: 'hi', documents: ['hi'] },
  search: { model: 'gpt-4o' },
  images: { model: 'gpt-4o', prompt: 'hi' },
  'image-edits': { model: 'gpt-4o', prompt: 'hi' },
  'image-variations': { model: 'gpt-4o' },
  speech: { model: 'gpt-4o', input: 'hi' },
  transcriptions: { model: 'gpt-4o' },
  translations: { model: 'gpt-4o' },
  realtime: {},
}
const operations = Object.keys(bases).filter(isOperation)

function isOperation(name: string): name is CallOperation {
  return Object.hasOwn(bases, name)
}

function codeOf(read: () => unknown): string {
  try {
    read()
    return 'read'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

/** There are about 45,000 cases. Neighbours in the list differ in kind, so a prime stride skips no kind. */
const SHORT = 7
const REFUSED = ['member_misspelled', 'member_repeated']
let count = 0

test.each(operations)('a misspelled or repeated checked member of %s is refused', (operation) => {
  for (const { name, json } of chosen(spellingAttacks(checkedMembers[operation], bases[operation]), SHORT)) {
    const code = codeOf(() => readAsk(operation, Buffer.from(json), { pathModel: 'gpt-4o' }))
    expect(REFUSED, `${operation} ${name}: ${json}`).toContain(code)
    count++
  }
})

test.each(Object.entries(checkedTaskMembers))(
  'a misspelled or repeated checked member of a %s task is refused',
  (_platform, shape: CheckedShape) => {
    for (const { name, json } of chosen(spellingAttacks(shape, {}), SHORT)) {
      const code = codeOf(() => rejectSuspect(scanObject(Buffer.from(json), callerLimits, shape).odd))
      expect(REFUSED, `${name}: ${json}`).toContain(code)
      count++
    }
  },
)

test.each(['image-edits', 'image-variations', 'transcriptions', 'translations'] as const)(
  'a misspelled or repeated form field of %s is refused',
  (operation) => {
    const shape = checkedMembers[operation]
    const files = ['file', 'image', 'images', 'mask', 'image[]']
    for (const names of chosen(fieldAttacks(shape), SHORT)) {
      if (names.length > 1 && files.includes(names[0] ?? '')) continue
      const contentType = 'multipart/form-data; boundary=b'
      const bytes = formWith([
        ['file', 'sound', 'a.mp3'],
        ['image', 'picture', 'a.png'],
        ...names.map((name) => [name, '9'] as const),
      ])
      const defaults = { defaultModel: 'gpt-4o' }
      const code = codeOf(() => readFormAsk({ operation, bytes, contentType, defaults }))
      expect([...REFUSED, 'form_invalid'], `${operation} ${JSON.stringify(names)}`).toContain(code)
      count++
    }
  },
)

function formWith(fields: readonly (readonly [name: string, value: string, fileName?: string])[]): Buffer {
  const parts = fields.map(([name, value, fileName]) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    return `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
  })
  return Buffer.from(`${parts.join('')}--b--\r\n`)
}

test('a misspelled member inside a JSON string is refused', () => {
  const names = ['sequential_image_generation_options', 'metadata']
  for (const operation of ['images', 'speech'] as const)
    for (const { name, json } of textAttacks(checkedMembers[operation], { base: bases[operation], names })) {
      const code = codeOf(() => readAsk(operation, Buffer.from(json), {}))
      expect(REFUSED, `${operation} ${name}`).toContain(code)
      count++
    }
})

test.each(operations)('every official spelling of a checked member of %s is accepted', (operation) => {
  for (const { name, json } of officialBodies(checkedMembers[operation], bases[operation])) {
    const code = codeOf(() => readAsk(operation, Buffer.from(json), { pathModel: 'gpt-4o' }))
    expect(REFUSED, `${name}: ${json}`).not.toContain(code)
  }
})

test('at least 300 spellings were tried', () => {
  expect(count).toBeGreaterThan(300)
})

let harness: RelayHarness
let upstream: ScriptedUpstream
let taskUpstream: TaskUpstream
let bearer: string

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  taskUpstream = await openTaskUpstream()
  await harness.addChannel(upstream.url)
  await harness.addChannel(taskUpstream.url, { type: 2, models: 'mj_imagine', key: 'drawing-key' })
  await harness.addChannel(taskUpstream.url, { type: 36, models: 'suno_music', key: 'song-key' })
  await harness.addChannel(taskUpstream.url, { type: 50, models: 'kling-v1', key: 'ak123|sk456' })
  await harness.setOption('ModelPrice', '{"kling-v1":0.1,"mj_imagine":0.1,"suno_music":0.1}')
  ;({ bearer } = await harness.addCaller())
})
afterAll(async () => {
  reportAttacks({ kind: 'spellings', count })
  await harness.close()
  await upstream.close()
  await taskUpstream.close()
})

/** The attacks are inside members whose value is a JSON string. */
const videoTexts = textAttacks(checkedTaskMembers.video, {
  base: { model: 'kling-v1', prompt: 'hi' },
  names: ['metadata'],
})

const gates: readonly (readonly [path: string, shape: CheckedShape, base: Body])[] = [
  ['/v1/chat/completions', checkedMembers.chat, bases.chat],
  ['/v1/messages', checkedMembers.messages, bases.messages],
  ['/v1/responses', checkedMembers.responses, bases.responses],
  ['/v1beta/models/gpt-4o:generateContent', checkedMembers.generate, bases.generate],
  ['/v1/embeddings', checkedMembers.embeddings, bases.embeddings],
  ['/v1/images/generations', checkedMembers.images, bases.images],
  ['/v1/audio/speech', checkedMembers.speech, bases.speech],
  ['/v1/videos', checkedTaskMembers.video, { model: 'kling-v1', prompt: 'hi' }],
  ['/v1/video/generations', checkedTaskMembers.video, { model: 'kling-v1', prompt: 'hi' }],
  ['/kling/v1/videos/text2video', checkedTaskMembers.kling, { model_name: 'kling-v1', prompt: 'hi' }],
  ['/mj/submit/imagine', checkedTaskMembers.midjourney, { prompt: 'hi' }],
  ['/suno/submit/MUSIC', checkedTaskMembers.suno, { prompt: 'hi' }],
]
/** A sample suffices: the spellings are tested above, and every path uses the same check. */
const SAMPLE = 40

test.each(gates)('a misspelled member sent to %s reaches no upstream', async (path, shape, base) => {
  const all = spellingAttacks(shape, base)
  const step = Math.max(1, Math.floor(all.length / SAMPLE))
  const before = [upstream.received.length, taskUpstream.asked.length]
  for (const { name, json } of all.filter((_each: SpellingAttack, at) => at % step === 0)) {
    const { status, text } = await harness.send({ path, bearer, body: json })
    expect(status, `${name}: ${json} ${text}`).toBe(400)
    count++
  }
  expect([upstream.received.length, taskUpstream.asked.length]).toEqual(before)
  await harness.quiet()
  expect(await harness.openHolds()).toBe(0)
})

test('a misspelled field in a video form reaches no upstream', async () => {
  const before = taskUpstream.asked.length
  const reported = [
    ['model', 'kling-v1'],
    ['prompt', 'hi'],
  ] as const
  for (const names of fieldAttacks(checkedTaskMembers.video).filter((_each, at) => at % 11 === 0)) {
    const own =
      names.length > 1 && ['image', 'images', 'image_tail', 'input_reference'].includes(names[0] ?? '')
    if (own) continue
    const body = formWith([...reported, ...names.map((name) => [name, '9'] as const)])
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const { status, text } = await harness.send({ path: '/v1/videos', bearer, body, headers })
    expect(status, `${JSON.stringify(names)} ${text}`).toBe(400)
    expect(text).toMatch(/ instead of |in another spelling|form/)
    count++
  }
  expect(taskUpstream.asked).toHaveLength(before)
})

/** Padding that makes the body large enough to be read by a worker thread. */
const PADDING = `{"padding":"${'a'.repeat(1_100_000)}",`

test.each(gates)(
  'a misspelled member in a large body sent to %s reaches no upstream',
  async (path, shape, base) => {
    const all = spellingAttacks(shape, base)
    const before = [upstream.received.length, taskUpstream.asked.length]
    for (const at of [0, 0.5, 0.9]) {
      const attack = all[Math.floor(at * all.length)]
      const body = (attack?.json ?? '').replace('{', PADDING)
      const { status, text } = await harness.send({ path, bearer, body })
      expect(status, `${attack?.name} ${text}`).toBe(400)
      expect(text, attack?.name).toMatch(/ instead of |in another spelling/)
      count++
    }
    expect([upstream.received.length, taskUpstream.asked.length]).toEqual(before)
  },
)

test('a misspelled member in video metadata sent as a JSON string reaches no upstream', async () => {
  const before = taskUpstream.asked.length
  for (const { name, json } of chosen(videoTexts, SHORT)) {
    const { status } = await harness.send({ path: '/v1/videos', bearer, body: json })
    expect(status, name).toBe(400)
    count++
  }
  expect(taskUpstream.asked).toHaveLength(before)
})

test('the official spelling of the same members reaches the upstream', async () => {
  const before = upstream.received.length
  const body = {
    ...bases.chat,
    max_tokens: 9,
    stream_options: null,
    tools: [{ type: 'function', function: {} }],
  }
  expect((await harness.send({ bearer, body })).status).toBe(200)
  expect(upstream.received).toHaveLength(before + 1)
})
