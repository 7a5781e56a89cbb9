import type { CallOperation } from '@tollgate/dialects/conversations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { taskApis } from '../../src/relay/operations/all.ts'
import { callPaths, relayRouteOf } from '../../src/relay/relay-route.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

/**
 * Tests the word filter and the call limit of a user at every path that accepts work. Sessions over a
 * WebSocket are in `realtime.test.ts`. Counting tokens is neither filtered nor limited: no model reads the
 * text, it costs nothing, and clients count before most calls.
 */

const WORD = 'forbidden'
/** A form with the word as its prompt, and a file field of that name. */
function form(fileName: 'file' | 'image'): Buffer {
  const texts = ['model', 'prompt'].map((name) => {
    const value = name === 'model' ? 'm' : WORD
    return `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  })
  const file = `--edge\r\ncontent-disposition: form-data; name="${fileName}"; filename="a"\r\n\r\n`
  const content = fileName === 'image' ? Buffer.from('89504e470d0a1a0a', 'hex') : Buffer.from('ID3')
  return Buffer.concat([Buffer.from(texts.join('') + file), content, Buffer.from('\r\n--edge--\r\n')])
}
const messages = [{ role: 'user', content: WORD }]
const contents = [{ parts: [{ text: WORD }] }]

/**
 * A request body of each operation that contains the word. An operation that is missing here is a type error.
 */
const bodies: Readonly<Record<Exclude<CallOperation, 'realtime'>, object | Buffer>> = {
  chat: { messages },
  completions: { prompt: WORD },
  embeddings: { input: WORD },
  embed: { content: { parts: [{ text: WORD }] } },
  messages: { max_tokens: 9, messages },
  responses: { input: WORD },
  compact: { input: WORD },
  generate: { contents },
  search: { commands: { search_query: [{ q: WORD }] } },
  rerank: { query: WORD, documents: ['x'] },
  images: { prompt: WORD },
  'image-edits': form('image'),
  'image-variations': form('image'),
  speech: { input: WORD },
  transcriptions: form('file'),
  translations: form('file'),
  moderations: { input: WORD },
}

const jimeng = '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31'
const submissions: readonly (readonly [path: string, body: object])[] = [
  ['/mj/submit/imagine', { prompt: WORD }],
  ['/mj/submit/edits', { prompt: WORD, image: 'https://host.example/a.png' }],
  ['/mj/submit/shorten', { prompt: WORD }],
  ['/mj/submit/video', { prompt: WORD, image: 'https://host.example/a.png' }],
  ['/mj/submit/modal', { taskId: '1', prompt: WORD }],
  ['/mj-relax/mj/submit/imagine', { prompt: WORD }],
  ['/suno/submit/music', { gpt_description_prompt: WORD }],
  ['/suno/submit/music', { prompt: 'la', tags: WORD }],
  ['/suno/submit/lyrics', { prompt: WORD }],
  ['/v1/videos', { model: 'sora-2', prompt: WORD }],
  ['/v1/videos/task_1/remix', { prompt: WORD }],
  ['/v1/video/generations', { model: 'wan2.2-t2v-plus', prompt: WORD }],
  ['/v1/video/generations', { model: 'm', prompt: 'x', metadata: { negative_prompt: WORD } }],
  ['/kling/v1/videos/text2video', { model_name: 'kling-v1', prompt: WORD }],
  ['/kling/v1/videos/image2video', { model_name: 'kling-v1', image: 'https://host.example/a', prompt: WORD }],
  [jimeng, { req_key: 'jimeng_vgfm_t2v_l20', prompt: WORD }],
]

interface Sample {
  readonly path: string
  readonly body: object | Buffer
  readonly isSession?: boolean
}

const calls: readonly Sample[] = callPaths.map(({ path, operation, identity }) => ({
  path,
  body: operation.wire === 'realtime' ? {} : bodies[operation.wire],
  isSession: identity === 'session',
}))
const generated: readonly Sample[] = [
  { path: '/v1beta/models/m:generateContent', body: bodies.generate },
  { path: '/v1beta/models/m:streamGenerateContent', body: bodies.generate },
  { path: '/v1beta/models/m:embedContent', body: bodies.embed },
  { path: '/v1beta/models/m:batchEmbedContents', body: { requests: [bodies.embed] } },
  { path: '/v1/engines/m/embeddings', body: bodies.embeddings },
]
const samples: readonly Sample[] = [
  ...calls,
  ...generated,
  ...submissions.map(([path, body]) => ({ path, body })),
]

let harness: RelayHarness
beforeAll(async () => {
  harness = await openRelayHarness()
})
afterAll(() => harness.close())

async function sendAs(caller: { bearer: string; userId: number }, { path, body, isSession }: Sample) {
  const isForm = Buffer.isBuffer(body)
  if (isSession) harness.signIn(caller.userId)
  return harness.send({
    path,
    ...(!isSession && { bearer: caller.bearer }),
    headers: {
      'x-goog-api-key': caller.bearer,
      ...(isForm && { 'content-type': 'multipart/form-data; boundary=edge' }),
    },
    body: isForm ? body : { model: 'm', ...body },
  })
}

/** The members that every error response of this path has. */
async function shapeAt(sample: Sample): Promise<readonly string[]> {
  const { json } = await sendAs(await harness.addCaller({ quota: 0n }), { ...sample, body: Buffer.from('{') })
  return Object.keys(json).toSorted()
}

it('every operation and every API for tasks has a path in this table', () => {
  const entrances = samples.map(({ path }) => relayRouteOf('POST', path))
  const operations = new Set(entrances.map((each) => (each.type === 'call' ? each.operation.name : '')))
  for (const operation of Object.keys(bodies)) expect(operations).toContain(operation)
  const apis = new Set(entrances.map((each) => (each.type === 'task' ? each.api : undefined)))
  for (const api of taskApis) expect(apis).toContain(api)
})

describe('the word filter', () => {
  beforeAll(() => harness.setOption('SensitiveWords', WORD))
  afterAll(() => harness.setOption('SensitiveWords', ''))

  it.each(samples)(
    'a sensitive word is refused at $path, in the error format of that path',
    async (sample) => {
      const caller = await harness.addCaller()
      const before = harness.said.length
      const { json, text, status } = await sendAs(caller, sample)
      const received = harness.said.slice(before).filter(({ word }) => word === WORD)
      expect(received).toMatchObject([{ level: 'warn', userId: caller.userId }])
      expect(text).toContain('sensitive words detected')
      expect(text).not.toContain(WORD)
      // Some platforms return every error with status 200.
      expect([200, 400]).toContain(status)
      expect(Object.keys(json).toSorted()).toEqual(await shapeAt(sample))
      expect(await harness.balance(caller.userId)).toMatchObject({ used: 0n, reserved: 0n })
    },
  )
})

describe('the call limit of a user', () => {
  beforeAll(async () => {
    await harness.setOption('ModelRequestRateLimitCount', '1')
    await harness.setOption('ModelRequestRateLimitEnabled', 'true')
  })
  afterAll(() => harness.setOption('ModelRequestRateLimitEnabled', 'false'))

  it.each(samples)('the limit applies at $path, in the error format of that path', async (sample) => {
    const caller = await harness.addCaller()
    const first = await sendAs(caller, sample)
    expect(first.text).not.toContain('Too many calls')
    const second = await sendAs(caller, sample)
    expect(second.text).toContain('Too many calls: at most 1')
    expect(second.headers['retry-after']).toBeDefined()
    expect(Object.keys(second.json).toSorted()).toEqual(await shapeAt(sample))
  })
})
