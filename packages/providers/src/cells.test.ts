import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readAsk } from '@tollgate/dialects/ask'
import { ReplyCollector } from '@tollgate/dialects/canonical/collect'
import { FrameReader } from '@tollgate/dialects/canonical/frames'
import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import { parseObject } from '@tollgate/dialects/json'
import { openTap } from '@tollgate/dialects/pair/open-tap'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { readWhole } from '@tollgate/dialects/pair/read-whole'
import { describe, expect, it } from 'vitest'
import { defaultChannelSettings } from './channel-settings.ts'
import { claimsOf } from './define/claims.ts'
import { CALLERS } from './define/reference.ts'
import { providers } from './index.ts'
import { prepareAttempt } from '../test/prepare-attempt.ts'
import { resolveEndpoint, type ResolvedEndpoint } from './prepare/resolve-endpoint.ts'
import type { Provider, Upstream } from './provider.ts'

/**
 * Tests every cell of docs/reference/providers.md that claims support: a request is written, and a whole
 * response and a stream are read.
 */

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))
/**
 * The vendor that defined each API format. Its fixtures also test the vendors whose API is fully compatible.
 */
const AUTHORS = { chat: 'openai', messages: 'anthropic', responses: 'openai', generate: 'gemini' } as const

interface Expected {
  readonly upstream: Partial<Upstream>
  readonly calls: Readonly<Record<string, { readonly ask: Readonly<Record<string, unknown>> }>>
  readonly answer?: { readonly text: string }
  readonly conversation?: { readonly text: string }
}

const cells = providers.flatMap((provider) =>
  CALLERS.flatMap(([asked]) => {
    const found = wayFor(provider, asked)
    return found === undefined ? [] : [{ id: provider.id, asked, provider, ...found }]
  }),
)

it('the tested cells are all that the page claims', () => {
  const exercised = new Set([
    ...cells.map(({ provider, asked }) => `${provider.type} ${asked}`),
    ...withVectors.map(({ type }) => `${type} embeddings`),
  ])
  const claims = claimsOf(1, [...CALLERS.map(([asked]) => asked), 'embeddings'])
  expect(claims.filter((claim) => !exercised.has(claim))).toEqual([])
  expect(claims.length).toBeGreaterThan(200)
})

const withVectors = providers.filter((provider) => resolveEndpoint(provider, 'embeddings') !== undefined)

describe.each(cells)('$id for clients of $asked', ({ provider, asked, resolved, model }) => {
  const expected = expectedOf(provider.id)

  it.each([false, true])('writes the upstream request (stream: %j)', (isStream) => {
    const { url, headers, body } = prepareAttempt({
      provider,
      upstream: upstreamOf(provider, expected),
      operation: asked,
      ask: readAsk(asked, Buffer.from(JSON.stringify(bodies[asked](model, isStream))), { isStream }),
      model,
      isStream,
      query: new URLSearchParams(),
    })
    expect(URL.canParse(url)).toBe(true)
    expect(JSON.stringify(headers)).not.toContain('undefined')
    // The user's text must reach the vendor, whatever format the request is converted to.
    expect(body.toString()).toContain('Why is the sea salty?')
  })

  it('reads a whole response and a stream', () => {
    const name = fixtureOf(provider.id, resolved)
    const text = textOf(name)
    const { streams } = resolved.endpoint
    const isCollected = streams === 'always'
    const stream = streams === 'never' ? undefined : streamOf(name)
    const whole = isCollected ? stream : readFileSync(`${FIXTURES}${name}.json`)
    const rules = rulesOf(provider, asked, resolved)
    expect(saidIn(readWhole(whole ?? Buffer.alloc(0), { ...rules, isCollected }).bytes, asked)).toBe(text)
    if (stream === undefined) return
    const tap = openTap(rules)
    const output = Buffer.concat([...tap.push(stream), ...tap.end()])
    expect(tap.reading).toMatchObject({ isComplete: true, error: undefined })
    expect(streamedIn(output, asked)).toBe(text)
  })
})

it.each(withVectors.map(({ id }) => id))('the other suite covers embeddings of %s', (id) => {
  expect(expectedOf(id).calls).toHaveProperty('embeddings')
  expect(['embeddings', 'embed'].some((name) => existsSync(`${FIXTURES}${id}/${name}.json`))).toBe(true)
})

/** Returns the endpoint that serves this operation, and a model that it serves. */
function wayFor(
  provider: Provider,
  asked: ConversationOperation,
): { resolved: ResolvedEndpoint; model: string } | undefined {
  // Providers with tasks only are tested end to end in the relay's tests.
  if (Object.keys(provider.endpoints).length === 0) return undefined
  const asks = Object.values(expectedOf(provider.id).calls).map(({ ask }) => String(ask['model']))
  for (const model of [...asks, ...provider.models, 'm']) {
    const resolved = resolveEndpoint(provider, asked, model)
    if (resolved !== undefined) return { resolved, model }
  }
  return undefined
}

const QUESTION = 'Why is the sea salty?'

const bodies: Readonly<Record<ConversationOperation, (model: string, stream: boolean) => object>> = {
  chat: (model, stream) => ({ model, stream, messages: [{ role: 'user', content: QUESTION }] }),
  messages: (model, stream) => ({
    model,
    stream,
    max_tokens: 100,
    messages: [{ role: 'user', content: QUESTION }],
  }),
  responses: (model, stream) => ({ model, stream, input: QUESTION }),
  generate: (model) => ({ model, contents: [{ role: 'user', parts: [{ text: QUESTION }] }] }),
}

function expectedOf(id: string): Expected {
  const expected: Expected = JSON.parse(readFileSync(`${FIXTURES}${id}/expected.json`, 'utf8'))
  return expected
}

function upstreamOf(provider: Provider, expected: Expected): Upstream {
  return {
    channelId: 1,
    type: provider.type,
    baseUrl: provider.baseUrl ?? '',
    key: 'sk-test-1',
    other: '',
    organization: '',
    createdTime: 0,
    settings: defaultChannelSettings,
    ...expected.upstream,
  }
}

/**
 * Returns the fixture, such as `deepseek/chat`; falls back to the fixture of the format's author when the
 * vendor has none of its own.
 */
function fixtureOf(id: string, { operation }: ResolvedEndpoint): string {
  const has = ['json', 'sse', 'ndjson', 'hex'].some((kind) =>
    existsSync(`${FIXTURES}${id}/${operation}.${kind}`),
  )
  if (has) return `${id}/${operation}`
  const author = Object.entries(AUTHORS).find(([dialect]) => dialect === operation)?.[1] ?? id
  return `${author}/${operation}`
}

function textOf(fixture: string): string {
  const [id = '', operation] = fixture.split('/')
  const { answer, conversation } = expectedOf(id)
  const own = operation === 'chat' || operation === 'messages' ? (answer ?? conversation) : conversation
  return own?.text ?? ''
}

function streamOf(fixture: string): Buffer {
  const text = ['sse', 'ndjson'].map((kind) => `${FIXTURES}${fixture}.${kind}`).find(existsSync)
  if (text !== undefined) return readFileSync(text)
  return Buffer.from(readFileSync(`${FIXTURES}${fixture}.hex`, 'utf8').replaceAll(/\s/g, ''), 'hex')
}

function rulesOf(
  provider: Provider,
  asked: ConversationOperation,
  { operation, endpoint }: ResolvedEndpoint,
): PairRules {
  const { readUsage, codec, openFrames, adjustAnswer, adjustChunk } = endpoint
  return {
    asked,
    caller: conversations[asked].caller,
    endpoint: operation,
    readUsage,
    context: { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: true },
    ...(provider.errorInside && { errorInside: provider.errorInside }),
    ...(codec && { codec }),
    ...(openFrames && { openFrames }),
    ...(adjustAnswer && { adjustAnswer }),
    ...(adjustChunk && { adjustChunk }),
  }
}

function saidIn(bytes: Buffer, asked: ConversationOperation): string {
  const { upstream } = conversations[asked]
  const answer = upstream.readReply(parseObject(bytes) ?? {}, upstream.readUsage)
  return answer.type === 'error' ? answer.error.message : textIn(answer.reply)
}

function streamedIn(bytes: Buffer, asked: ConversationOperation): string {
  const { upstream } = conversations[asked]
  const reader = upstream.openReader(upstream.readUsage)
  const frames = new FrameReader()
  const collector = new ReplyCollector()
  const all = [...frames.push(bytes), ...frames.end()].flatMap((frame) => [...reader.push(frame)])
  for (const event of [...all, ...reader.end()]) collector.push(event)
  return textIn(collector.reply())
}

function textIn({ choices }: ReturnType<ReplyCollector['reply']>): string {
  const parts = choices[0]?.parts ?? []
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
