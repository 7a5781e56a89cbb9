import type { ServerResponse } from 'node:http'
import {
  brotliCompressSync,
  constants,
  deflateSync,
  gzipSync,
  zstdCompressSync,
  createGzip,
  type Gzip,
} from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, type Responder, type ScriptedUpstream } from './upstream.ts'

/**
 * Upstreams that write valid answers in unusual forms: coded although `identity` was requested, and event
 * streams with other line ends, several data lines or a byte order mark.
 */

const TEXT = 'Grüße, 天气 🌦️ ok\u2028next.'
const CHARGE = 1900n

const coders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  'x-gzip': (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
  'GZIP, br': (bytes) => brotliCompressSync(gzipSync(bytes)),
}

const vendors = {
  chat: { type: 8, path: '/v1/chat/completions' },
  messages: { type: 14, path: '/v1/messages' },
  responses: { type: 1, path: '/v1/responses' },
  generate: { type: 24, path: '/v1beta/models/by-generate:streamGenerateContent?alt=sse' },
} as const

type Vendor = keyof typeof vendors
const names = ['chat', 'messages', 'responses', 'generate'] as const

let harness: RelayHarness
let odd: ScriptedUpstream
let bearer: string
let entriesBefore: number

beforeAll(async () => {
  harness = await openRelayHarness()
  odd = await openScriptedUpstream()
  for (const name of names)
    await harness.addChannel(odd.url, {
      type: vendors[name].type,
      models: `by-${name}`,
      // Only this model has no chat endpoint, so that every caller's request goes to the Responses endpoint.
      model_mapping: name === 'responses' ? '{"by-responses":"gpt-5.3-codex"}' : '',
    })
  const ratios = Object.fromEntries(names.map((name) => [`by-${name}`, 1]))
  await harness.setOption('ModelRatio', JSON.stringify(ratios))
})
afterAll(async () => {
  await harness.close()
  await odd.close()
})
beforeEach(async () => {
  ;({ bearer } = await harness.addCaller())
  entriesBefore = (await harness.entries()).length
})
afterEach(async () => {
  await harness.quiet()
  expect(await harness.openHolds()).toBe(0)
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})

async function charges(): Promise<bigint[]> {
  await harness.quiet()
  return (await harness.entries()).slice(entriesBefore).map(({ amount }) => amount)
}

/** Usage of which every vendor's stream costs the same. */
const usages = {
  chat: { prompt_tokens: 100, completion_tokens: 1800, total_tokens: 1900 },
  messages: { input_tokens: 100, output_tokens: 1800 },
  responses: { input_tokens: 100, output_tokens: 1800, total_tokens: 1900 },
  generate: { promptTokenCount: 100, candidatesTokenCount: 800, thoughtsTokenCount: 1000 },
}

function chatChunk(choices: readonly object[], members: object = {}): object {
  return { id: 'c1', object: 'chat.completion.chunk', created: 1, choices, ...members }
}

function chatEvents(): object[] {
  return [
    chatChunk([{ index: 0, delta: { role: 'assistant', content: TEXT.slice(0, 8) }, finish_reason: null }]),
    chatChunk([{ index: 0, delta: { content: TEXT.slice(8) }, finish_reason: null }]),
    chatChunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    chatChunk([], { usage: usages.chat }),
  ]
}

function messageEvents(): object[] {
  const message = { id: 'm1', type: 'message', role: 'assistant', model: 'c', content: [] }
  return [
    { type: 'message_start', message: { ...message, usage: { ...usages.messages, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: usages.messages },
    { type: 'message_stop' },
  ]
}

function responseEvents(): object[] {
  const place = { item_id: 'i1', output_index: 0, content_index: 0 }
  const content = [{ type: 'output_text', text: TEXT, annotations: [] }]
  const item = { id: 'i1', type: 'message', role: 'assistant', content: [] as object[] }
  const response = { id: 'r1', object: 'response', output: [{ ...item, content }], usage: usages.responses }
  return [
    { type: 'response.created', response: { id: 'r1', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', ...place, delta: TEXT },
    { type: 'response.output_text.done', ...place, text: TEXT },
    { type: 'response.output_item.done', output_index: 0, item: { ...item, content } },
    { type: 'response.completed', response: { ...response, status: 'completed' } },
  ]
}

function geminiFragment(text: string, members: object): object {
  const candidates = [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...members }]
  return { candidates, usageMetadata: usages.generate, modelVersion: 'g', responseId: 'r1' }
}

function generateEvents(): object[] {
  return [geminiFragment(TEXT.slice(0, 8), {}), geminiFragment(TEXT.slice(8), { finishReason: 'STOP' })]
}

const events: Readonly<Record<Vendor, () => object[]>> = {
  chat: chatEvents,
  messages: messageEvents,
  responses: responseEvents,
  generate: generateEvents,
}

interface EventForm {
  readonly newline?: string
  readonly space?: string
  readonly before?: string
  readonly isPretty?: boolean
  readonly between?: string
  readonly hasBareEnd?: boolean
}

function writeEvents(vendor: Vendor, form: EventForm = {}): Buffer {
  const { newline = '\n', space = ' ', before = '', isPretty = false, between = '' } = form
  const isNamed = vendor === 'messages' || vendor === 'responses'
  const written = events[vendor]().map((event) => {
    const name = isNamed && 'type' in event ? `event: ${String(event.type)}${newline}` : ''
    const lines = (isPretty ? JSON.stringify(event, null, 2) : JSON.stringify(event)).split('\n')
    const data = lines.map((line) => `data:${space}${line}${newline}`).join('')
    return between.replaceAll('\n', newline) + name + data + newline
  })
  const done = vendor === 'chat' ? `data:${space}[DONE]${newline}${newline}` : ''
  const text = before + written.join('') + done
  return Buffer.from(form.hasBareEnd === true ? text.trimEnd() : text)
}

function streamBytes(bytes: Buffer, headers: Record<string, string> = {}): Responder {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
    for (let at = 0; at < bytes.length; at += 50)
      await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + 50), () => resolve()))
    response.end()
  }
}

function ask(caller: Vendor, model: Vendor) {
  const message = { role: 'user', content: 'x' }
  const bodies = {
    chat: { messages: [message], stream_options: { include_usage: true } },
    messages: { messages: [message], max_tokens: 5000 },
    responses: { input: 'x' },
    generate: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  }
  const path =
    caller === 'generate' ? `/v1beta/models/by-${model}:streamGenerateContent?alt=sse` : vendors[caller].path
  const named = caller === 'generate' ? {} : { model: `by-${model}`, stream: true }
  return { bearer, path, body: { ...named, ...bodies[caller] } }
}

function readText(caller: Vendor, text: string): string {
  const payloads = text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:') && line.includes('{'))
    .map((line) => JSON.parse(line.slice(5)))
  const pieces = payloads.map((event) => {
    if (caller === 'chat') return event.choices?.[0]?.delta?.content ?? ''
    if (caller === 'messages') return event.delta?.text ?? ''
    if (caller === 'responses') return event.type === 'response.output_text.delta' ? event.delta : ''
    return event.candidates?.[0]?.content?.parts?.map((part: { text?: string }) => part.text ?? '').join('')
  })
  return pieces.join('')
}

const forms: Readonly<Record<string, EventForm>> = {
  'CR alone': { newline: '\r' },
  'CR LF': { newline: '\r\n' },
  'several data lines': { isPretty: true },
  'several data lines that end with CR LF': { isPretty: true, newline: '\r\n' },
  'several data lines that end with CR': { isPretty: true, newline: '\r' },
  'a byte order mark': { before: '\ufeff' },
  'a byte order mark and blank lines': { before: '\ufeff\r\n\n' },
  'two spaces': { space: '  ' },
  'no space': { space: '' },
  'comments, ids and times': { between: ': ping\nid: 7\nretry: 3000\n' },
  'comments after CR': { between: ': ping\n\n:\n', newline: '\r' },
  'no blank line at its end': { hasBareEnd: true },
}

describe.each(Object.keys(forms))('an event stream with %s', (name) => {
  test.each(names.flatMap((vendor) => names.map((caller) => ({ vendor, caller }))))(
    'from a $vendor upstream reaches a $caller caller whole and is charged by its report',
    async ({ vendor, caller }) => {
      odd.respond = streamBytes(writeEvents(vendor, forms[name]))
      const answer = await harness.send(ask(caller, vendor))
      expect([answer.status, readText(caller, answer.text)]).toEqual([200, TEXT])
      expect(answer.text).not.toContain('stream_broken')
      expect(await charges()).toEqual([CHARGE])
    },
  )

  test('reaches a Gemini caller as lines of data alone', async () => {
    odd.respond = streamBytes(writeEvents('generate', forms[name]))
    const answer = await harness.send(ask('generate', 'generate'))
    const lines = answer.text.split(/\r?\n/).filter((line) => line !== '')
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toMatch(/^data: \{.*\}$/s)
  })
})

describe.each(Object.keys(coders))('an answer coded with %s', (coding) => {
  const headers = { 'content-encoding': coding, etag: '"1"' }
  const encode = coders[coding] ?? ((bytes: Buffer) => bytes)

  test.each(names)('from a %s upstream is decoded as a stream', async (vendor) => {
    odd.respond = streamBytes(encode(writeEvents(vendor)), headers)
    const answer = await harness.send(ask(vendor, vendor))
    expect([answer.status, readText(vendor, answer.text)]).toEqual([200, TEXT])
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(await charges()).toEqual([CHARGE])
  })

  test('is decoded when it is whole', async () => {
    odd.respond = (response) => sendCoded(response, encode(wholeAnswer()), headers)
    const answer = await harness.send(wholeRequest())
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(TEXT)])
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)))
    expect(await charges()).toEqual([CHARGE])
  })

  test('keeps its status and its words when it is an error', async () => {
    const body = Buffer.from(JSON.stringify({ error: { message: 'the tool is unknown', type: 'bad' } }))
    odd.respond = (response) => sendCoded(response, encode(body), headers, 400)
    const answer = await harness.send(wholeRequest())
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('the tool is unknown')])
  })

  test('fails and is free when it ends too early', async () => {
    const bytes = encode(wholeAnswer())
    odd.respond = (response) => sendCoded(response, bytes.subarray(0, bytes.length - 12), headers)
    expect((await harness.send(wholeRequest())).status).toBe(500)
    expect(await charges()).toEqual([])
  })
})

test('an answer whose coding nobody knows fails instead of reaching the caller unread', async () => {
  for (const coding of ['compress', 'gzip, gzip, gzip']) {
    const headers = { 'content-encoding': coding }
    odd.respond = (response) => sendCoded(response, wholeAnswer(), headers)
    expect((await harness.send(wholeRequest())).status).toBe(500)
  }
  expect(await charges()).toEqual([])
})

test('a brotli answer that needs a window of 16 MiB fails', async () => {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24 }
  const bytes = brotliCompressSync(wholeAnswer(), { params })
  odd.respond = (response) => sendCoded(response, bytes, { 'content-encoding': 'br' })
  expect((await harness.send(wholeRequest())).status).toBe(500)
})

test('each event of a coded stream reaches the caller before the next one is written', async () => {
  const [first = {}, ...others] = chatEvents()
  let sendRest: (() => void) | undefined
  odd.respond = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    const gzip = createGzip()
    gzip.pipe(response)
    await writeFlushed(gzip, `data: ${JSON.stringify(first)}\n\n`)
    await new Promise<void>((resolve) => (sendRest = resolve))
    for (const event of others) await writeFlushed(gzip, `data: ${JSON.stringify(event)}\n\n`)
    gzip.end('data: [DONE]\n\n')
  }
  const answer = await harness.send({
    ...ask('chat', 'chat'),
    onText: (text) => {
      if (text.includes(TEXT.slice(0, 5))) sendRest?.()
    },
  })
  expect(readText('chat', answer.text)).toBe(TEXT)
})

function wholeAnswer(): Buffer {
  const message = { role: 'assistant', content: TEXT }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  return Buffer.from(JSON.stringify({ id: 'c1', object: 'chat.completion', choices, usage: usages.chat }))
}

function wholeRequest() {
  return { bearer, body: { model: 'by-chat', messages: [{ role: 'user', content: 'x' }] } }
}

function sendCoded(response: ServerResponse, bytes: Buffer, headers: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(bytes)
}

function writeFlushed(gzip: Gzip, text: string): Promise<void> {
  return new Promise((resolve) => {
    gzip.write(text)
    gzip.flush(constants.Z_SYNC_FLUSH, () => resolve())
  })
}

test('an overload inside a stream is told as one with a status of its own', async () => {
  const error = { message: 'overloaded', type: 'service_unavailable_error', code: 'server_is_overloaded' }
  const tellers: readonly Responder[] = [
    (response) => sendCoded(response, Buffer.from(JSON.stringify({ error })), {}, 503),
    (response) => sendCoded(response, Buffer.from(JSON.stringify({ error })), {}),
    streamBytes(Buffer.from(`data: ${JSON.stringify({ error })}\n\n`)),
  ]
  for (const respond of tellers) {
    odd.respond = respond
    expect((await harness.send(ask('chat', 'chat'))).status).toBe(503)
    const answer = await harness.send(ask('messages', 'chat'))
    expect([answer.status, answer.error['type']]).toEqual([529, 'overloaded_error'])
  }
  expect(await charges()).toEqual([])
})
