import { execFile, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { ManualClock, systemClock } from '@tollgate/kit/clock'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'

/**
 * Official clients read answers whose vendor is silent before the head and between frames, while the gateway sends
 * keep-alives. With TOLLGATE_FAULTS=long the silences take 40 real seconds each, at the intervals as they ship;
 * otherwise a clock is moved on by as much.
 *
 * The clients for Python take part where TOLLGATE_PYTHON names an interpreter that has them: Debian has no packages of
 * them, `pip install openai anthropic google-genai` in a virtual environment has.
 */

const isLong = process.env['TOLLGATE_FAULTS'] === 'long'
const SILENCE_MS = 40_000
const BEAT_MS = 5_000

const vendors = {
  chat: { type: 8, path: '/v1/chat/completions' },
  messages: { type: 14, path: '/v1/messages' },
  responses: { type: 1, path: '/v1/responses' },
  generate: { type: 24, path: '/v1beta/models/by-generate:streamGenerateContent?alt=sse' },
} as const
type Kind = keyof typeof vendors
const kinds = ['chat', 'messages', 'responses', 'generate'] as const

let harness: RelayHarness
let vendor: ScriptedUpstream
let bearer: string
const python = process.env['TOLLGATE_PYTHON'] ?? 'python3'
const SCRIPT = join(import.meta.dirname, 'silent-clients.py')
/** Empty where the clients are not installed. */
const pythonVersions = spawnSync(python, [SCRIPT, 'versions'], { encoding: 'utf8' }).stdout.trim()

const clock = isLong ? systemClock : new ManualClock()

beforeAll(async () => {
  harness = await openRelayHarness({ clock })
  vendor = await openScriptedUpstream()
  for (const kind of kinds)
    await harness.addChannel(vendor.url, {
      type: vendors[kind].type,
      models: `by-${kind}`,
      model_mapping: kind === 'responses' ? '{"by-responses":"gpt-5.3-codex"}' : '',
    })
  const ratios = Object.fromEntries(kinds.map((kind) => [`by-${kind}`, 1]))
  await harness.setOption('ModelRatio', JSON.stringify(ratios))
  ;({ bearer } = await harness.addCaller())
  const versions = ['openai', '@anthropic-ai/sdk', '@google/genai'].map(
    (name) => `${name} ${readVersion(name)}`,
  )
  process.stdout.write(
    `clients: ${[...versions, pythonVersions || 'none for Python'].join(', ')}; silences of ${SILENCE_MS} ms${isLong ? '' : ', by the clock'}\n`,
  )
})
afterAll(async () => {
  await harness.close()
  await vendor.close()
})

function readVersion(name: string): string {
  const [main = ''] = createRequire(import.meta.url)
    .resolve(name)
    .split(`/node_modules/${name}/`)
    .slice(-1)
  const folder = createRequire(import.meta.url)
    .resolve(name)
    .slice(0, -main.length)
  const { version }: { version: string } = createRequire(import.meta.url)(`${folder}package.json`)
  return version
}

const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7 }
const message = { id: 'm1', type: 'message', role: 'assistant', model: 'c', content: [] }
const item = { id: 'i1', type: 'message', role: 'assistant', status: 'completed' }
const place = { item_id: 'i1', output_index: 0, content_index: 0 }
const said = [{ ...item, content: [{ type: 'output_text', text: 'one two', annotations: [] }] }]
const response = { id: 'r1', object: 'response', created_at: 1, model: 'g', output: said, usage }
const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'g',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const fragment = (text: string, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
})

/** The events before and after the second silence. */
const events: Readonly<Record<Kind, readonly [readonly object[], readonly object[]]>> = {
  chat: [[chunk({ role: 'assistant', content: 'one ' })], [chunk({ content: 'two' }), chunk({}, 'stop')]],
  messages: [
    [
      { type: 'message_start', message: { ...message, usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'one ' } },
    ],
    [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'two' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  ],
  responses: [
    [
      { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.output_text.delta', ...place, delta: 'one ' },
    ],
    [
      { type: 'response.output_text.delta', ...place, delta: 'two' },
      { type: 'response.output_item.done', output_index: 0, item: said[0] },
      { type: 'response.completed', response: { ...response, status: 'completed' } },
    ],
  ],
  generate: [[fragment('one ')], [fragment('two', { finishReason: 'STOP' })]],
}

function written(kind: Kind, part: readonly object[], hasIds: boolean): string {
  const lines = part.map((event, at) => {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : ''
    return `${hasIds ? `id: ${at}\n` : ''}${name}data: ${JSON.stringify(event)}\n\n`
  })
  return lines.join('')
}

/** Lets a silence pass: by the clock, or in truth. */
async function silence(): Promise<void> {
  if (isLong) return pause(SILENCE_MS)
  for (let passed = 0; passed < SILENCE_MS; passed += BEAT_MS) {
    if (clock instanceof ManualClock) clock.advance(BEAT_MS)
    harness.relay.tick()
    await pause(5)
  }
}

function answerSlowly(kind: Kind, hasIds: boolean): void {
  vendor.respond = async (reply) => {
    const [before, after] = events[kind]
    await silence()
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write(written(kind, before, hasIds))
    await pause(50)
    await silence()
    reply.end(written(kind, after, hasIds) + (kind === 'chat' ? 'data: [DONE]\n\n' : ''))
  }
}

const question = [{ role: 'user' as const, content: 'x' }]

/** The text of a streamed answer as the official client of each dialect reads it. */
const clients: Readonly<Record<Kind, () => Promise<string>>> = {
  chat: async () => {
    const client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
    const stream = await client.chat.completions.create({
      model: 'by-chat',
      stream: true,
      messages: question,
    })
    let text = ''
    for await (const each of stream) text += each.choices[0]?.delta.content ?? ''
    return text
  },
  responses: async () => {
    const client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
    const stream = await client.responses.create({ model: 'by-responses', stream: true, input: 'x' })
    let text = ''
    for await (const each of stream) if (each.type === 'response.output_text.delta') text += each.delta
    return text
  },
  messages: async () => {
    const client = new Anthropic({ apiKey: bearer, baseURL: harness.url, maxRetries: 0 })
    return client.messages.stream({ model: 'by-messages', max_tokens: 50, messages: question }).finalText()
  },
  generate: async () => {
    const client = new GoogleGenAI({ apiKey: bearer, httpOptions: { baseUrl: harness.url } })
    const stream = await client.models.generateContentStream({ model: 'by-generate', contents: 'x' })
    let text = ''
    for await (const each of stream) text += each.text ?? ''
    return text
  },
}

const bodies: Readonly<Record<Kind, object>> = {
  chat: { model: 'by-chat', stream: true, messages: question },
  messages: { model: 'by-messages', stream: true, max_tokens: 50, messages: question },
  responses: { model: 'by-responses', stream: true, input: 'x' },
  generate: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
}

describe.each(kinds.flatMap((kind) => [false, true].map((hasIds) => ({ kind, hasIds }))))(
  'a vendor of $kind that is silent (with ids: $hasIds)',
  ({ kind, hasIds }) => {
    const timeoutMs = 3 * SILENCE_MS

    test('is read by the official client', { timeout: timeoutMs }, async () => {
      answerSlowly(kind, hasIds)
      expect(await clients[kind]()).toBe('one two')
    })

    test.skipIf(pythonVersions === '')(
      'is read by the official client for Python',
      { timeout: timeoutMs },
      async () => {
        answerSlowly(kind, hasIds)
        const { stdout } = await promisify(execFile)(python, [SCRIPT, kind, harness.url, bearer])
        expect(stdout).toBe('one two')
      },
    )

    test('lets the caller have keep-alives, but for Gemini', { timeout: timeoutMs }, async () => {
      answerSlowly(kind, hasIds)
      const { text } = await harness.send({ bearer, path: vendors[kind].path, body: bodies[kind] })
      const [head = '', rest = ''] = text.split('one ')
      const beats = [head, rest].map((part) => part.match(/: PING|event: ping/g)?.length ?? 0)
      if (kind === 'generate') expect(beats).toEqual([0, 0])
      else expect(Math.min(...beats), text).toBeGreaterThan(0)
    })
  },
)
