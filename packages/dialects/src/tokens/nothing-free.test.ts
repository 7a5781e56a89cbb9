import { expect, test } from 'vitest'
import { readAsk } from '../ask.ts'
import type { CallOperation } from '../conversations.ts'
import { countInput } from './count.ts'

const WORDS = 'hello world '.repeat(500)
const PICTURE = { mimeType: 'image/png', data: '' }

const turn = (...parts: readonly unknown[]) => ({ messages: [{ role: 'user', content: parts }] })
const content = (...parts: readonly unknown[]) => ({ contents: [{ role: 'user', parts }] })
const source = (words: object) => turn({ type: 'document', source: words })
const called = (name: string, value: unknown) => ({
  messages: [{ role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', [name]: value } }] }],
})

/** All places in which an upstream, or a gateway behind it, might read text. */
test.each<readonly [CallOperation, Record<string, unknown>]>([
  ['chat', turn({ type: 'text', text: WORDS, parts: [] })],
  ['chat', turn(1, { type: 'text', text: WORDS })],
  ['chat', turn({ type: 'image_url', image_url: { url: 'https://a.test/b.png' }, text: WORDS })],
  ['chat', called('arguments', { words: WORDS })],
  ['chat', called('arguments', { [WORDS]: 1 })],
  ['chat', { ...turn('hi'), prediction: { type: 'content', content: WORDS } }],
  ['chat', { ...turn('hi'), chat_template_kwargs: { prompt: WORDS } }],
  ['messages', source({ type: 'content', content: [{ type: 'text', text: WORDS }] })],
  ['messages', source({ type: 'content', content: WORDS })],
  ['messages', source({ type: 'text', data: WORDS })],
  ['messages', turn({ type: 'document', context: WORDS, source: { type: 'text', data: 'a' } })],
  ['messages', turn({ type: 'document', title: WORDS, source: { type: 'url', url: 'https://a.test/b' } })],
  ['messages', turn({ type: 'tool_use', id: 'a', name: 'f', input: { [WORDS]: 1 } })],
  ['responses', { input: [WORDS] }],
  ['generate', content(1, { text: WORDS })],
  ['generate', content({ text: WORDS, inlineData: PICTURE })],
  ['generate', content({ text: WORDS, inline_data: PICTURE })],
  ['generate', content({ functionResponse: { name: 'f', response: { x: WORDS } }, inlineData: PICTURE })],
  ['generate', content({ functionCall: { name: 'f', args: { [WORDS]: 1 } } })],
  ['generate', content({ type: 'thinking', text: WORDS })],
  ['generate', content({ text: WORDS, parts: [] })],
  ['completions', { prompt: [1, WORDS] }],
  ['embeddings', { input: [1, WORDS] }],
])('%s counts the text wherever it stands', (operation, body) => {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 5, ...body }))
  expect(countInput(operation, readAsk(operation, bytes, { pathModel: 'm' })).textTokens).toBeGreaterThan(
    1_000,
  )
})

test('numbers in a tool result are counted', () => {
  const response = { rows: Array.from({ length: 1_000 }, (_, index) => index * 1.37) }
  const body = content({ functionResponse: { name: 'f', response } })
  const ask = readAsk('generate', Buffer.from(JSON.stringify(body)), { pathModel: 'm' })
  expect(countInput('generate', ask).textTokens).toBeGreaterThan(3_000)
})

test('signatures, identifiers and metadata, which no model reads, are not counted', () => {
  const signed = turn(
    { type: 'thinking', thinking: 'a', signature: WORDS },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: WORDS } },
  )
  const body = { model: 'm', max_tokens: 5, ...signed, metadata: { user_id: WORDS } }
  expect(
    countInput('messages', readAsk('messages', Buffer.from(JSON.stringify(body)))).textTokens,
  ).toBeLessThan(50)
})

test.each<readonly [CallOperation, Record<string, unknown>]>([
  ['embeddings', { input: [{ image: 'https://a.test/b.png' }] }],
  ['rerank', { query: 'q', documents: [{ image: 'https://a.test/b.png' }] }],
])('%s %j counts an image by URL at its largest size', (operation, body) => {
  const ask = readAsk(operation, Buffer.from(JSON.stringify({ model: 'm', ...body })))
  expect(countInput(operation, ask).mediaTokensMax).toBeGreaterThan(10_000)
})
