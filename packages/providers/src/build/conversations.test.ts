import { readAsk } from '@tollgate/dialects/openai/ask'
import { describe, expect, it } from 'vitest'
import { prepareAttempt, spokenBy } from '../prepare.ts'
import type { Spoken, Upstream } from '../provider.ts'
import { anthropicMessages, geminiContent, openaiResponses, ownFormat } from './conversations.ts'
import { apiKey, bearer } from './credentials.ts'
import { defineProvider } from './define.ts'
import { bedrockFrames, ndjsonFrames } from './frames.ts'
import { openaiChat } from './openai.ts'

const upstream: Upstream = {
  channelId: 1,
  type: 999,
  baseUrl: '',
  key: 'sk-1',
  other: '',
  organization: '',
  createdTime: 0,
  setting: {},
}

function prepared(ways: readonly Spoken[], body: object, more: object = {}) {
  const provider = defineProvider({
    id: 'some',
    type: 999,
    label: 'Some',
    baseUrl: 'https://some.example',
    credentials: apiKey,
    sign: bearer(),
    seal: ({ url, body }, _upstream, nowMs) => ({ 'x-seal': `${url} ${body.length} ${nowMs}` }),
    speaks: { chat: ways },
    models: [],
  })
  const ask = readAsk('chat', Buffer.from(JSON.stringify({ model: 'm/1', ...body })))
  const query = new URLSearchParams()
  const { isStream, model } = ask
  const out = prepareAttempt({
    provider,
    upstream,
    operation: 'chat',
    ask,
    model,
    isStream,
    query,
    nowMs: 7,
    ...more,
  })
  return { ...out, provider, json: JSON.parse(out.body.toString()) as unknown }
}

const hello = { messages: [{ role: 'user', content: 'Hi' }] }
const turn = { role: 'user', parts: [{ text: 'Hi' }] }

describe('a provider of another dialect', () => {
  it('gets the conversation in its own words, at its own address, sealed as it leaves', () => {
    const { url, json, headers, body } = prepared([geminiContent()], {
      ...hello,
      stream: true,
      max_tokens: 9,
    })
    expect(url).toBe('https://some.example/v1beta/models/m%2F1:streamGenerateContent?alt=sse')
    expect(json).toEqual({ contents: [turn], generationConfig: { maxOutputTokens: 9 } })
    expect(headers).toMatchObject({ 'x-seal': `${url} ${body.length} 7`, accept: 'text/event-stream' })
  })

  it.each([
    [anthropicMessages(), 'https://some.example/v1/messages', { model: 'm/1', max_tokens: 8192 }],
    [openaiResponses(), 'https://some.example/v1/responses', { model: 'm/1', store: false }],
    [geminiContent(), 'https://some.example/v1beta/models/m%2F1:generateContent', { contents: [turn] }],
  ])('is reached where it lives (%#)', (way, url, body) => {
    const out = prepared([way], hello)
    expect(out.url).toBe(url)
    expect(out.json).toMatchObject(body)
  })

  it('is spoken to in the dialect of the call where it can be', () => {
    const { provider } = prepared([openaiChat(), anthropicMessages()], hello)
    const dialects = (['openai', 'anthropic', 'gemini'] as const).map(
      (dialect) => spokenBy(provider, 'chat', dialect)?.dialect,
    )
    expect(dialects).toEqual(['openai', 'anthropic', 'openai'])
  })

  it('lets bytes of its own dialect through, and leaves what its address says out of them', () => {
    const { json } = prepared(
      [geminiContent()],
      { ...hello, contents: [turn] },
      { dialect: 'gemini', model: 'other' },
    )
    expect(json).toEqual({ model: 'm/1', ...hello, contents: [turn] })
  })

  it('is never asked for what it has no words for', () => {
    expect(() => prepared([anthropicMessages()], { ...hello, n: 2 })).toThrow(/not_expressible/)
  })

  it('may have a format that no caller has', () => {
    const { codec } = anthropicMessages()
    const own = ownFormat(codec, () => 'https://some.example/own', { openFrames: ndjsonFrames })
    expect(prepared([own], hello)).toMatchObject({
      url: 'https://some.example/own',
      spoken: { dialect: 'own' },
    })
  })
})

describe('frames', () => {
  it('of lines are one value each', () => {
    const frames = ndjsonFrames()
    expect([
      ...frames.push(Buffer.from('{"a":1}\n{"b"')),
      ...frames.push(Buffer.from(':2}')),
      ...frames.end(),
    ]).toEqual([
      { event: undefined, data: '{"a":1}' },
      { event: undefined, data: '{"b":2}' },
    ])
  })

  it('of Bedrock carry the events of the model', () => {
    const vector = Buffer.from(
      '000000870000004b87ea2bf30b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174' +
        '696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f696257567a63' +
        '32466e5a56397a64473977496e303d227dba48ab22',
      'hex',
    )
    const frames = bedrockFrames()
    const pieces = [vector.subarray(0, 50), vector.subarray(50), vector]
    expect(pieces.flatMap((piece) => frames.push(piece))).toEqual([
      { event: 'chunk', data: '{"type":"message_stop"}' },
      { event: 'chunk', data: '{"type":"message_stop"}' },
    ])
    expect(frames.end()).toEqual([])
  })
})
