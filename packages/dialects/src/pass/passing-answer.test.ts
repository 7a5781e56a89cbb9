import { expect, test } from 'vitest'
import { codecOf, conversations } from '../conversations.ts'
import type { PairRules } from '../pair/pair.ts'
import { readWhole } from '../pair/read-whole.ts'
import { readOpenAiUsage } from '../openai-usage.ts'
import { readAnswer } from '../openai/answer.ts'
import { PassingAnswer, type PassingOperation } from './passing-answer.ts'

const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }

function chat(message: object, more: object = {}): object {
  return {
    id: 'c1',
    model: 'm-2',
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    ...more,
  }
}

interface Passed {
  readonly text: string
  readonly answer: PassingAnswer
}

/** Passes a text in pieces of this size. */
function pass(text: string, size: number, operation: PassingOperation = 'chat'): Passed {
  const answer = new PassingAnswer({ operation, readUsage: readOpenAiUsage })
  const bytes = Buffer.from(text)
  const sent: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size)
    for (const piece of answer.push(bytes.subarray(at, at + size))) sent.push(Buffer.from(piece))
  return { text: Buffer.concat(sent).toString(), answer }
}

const VALID: Readonly<Record<string, string>> = {
  'usage at the end': JSON.stringify(chat({ role: 'assistant', content: 'hello there' }, { usage: USAGE })),
  'usage first': JSON.stringify({ usage: USAGE, ...chat({ content: 'hello' }) }),
  'usage twice; the last one counts': `{"usage":{"prompt_tokens":1,"completion_tokens":1},${JSON.stringify(chat({ content: 'x' }, { usage: USAGE })).slice(1)}`,
  'usage null before the real one': `{"usage":null,${JSON.stringify(chat({ content: 'x' }, { usage: USAGE })).slice(1)}`,
  'no usage': JSON.stringify(chat({ content: 'one two three', reasoning_content: 'four five' })),
  'usage inside a string': JSON.stringify(
    chat({ content: '"usage":{"prompt_tokens":99,"completion_tokens":99}} \\" \\\\' }),
  ),
  'usage inside arguments': JSON.stringify(
    chat({
      tool_calls: [
        { id: 't', type: 'function', function: { name: 'f', arguments: JSON.stringify({ usage: USAGE }) } },
      ],
    }),
  ),
  'usage in a nested object': JSON.stringify(chat({ content: 'x', usage: USAGE })),
  'an escaped name': `{"us\\u0061ge":${JSON.stringify(USAGE)},${JSON.stringify(chat({ content: 'x' })).slice(1)}`,
  'white space and odd numbers': ` {"a": [1, -0.5, 1e9, 2E-7, true, null, {} , [ ] ],\n"choices" : [ {"message":{"content":"x"},"finish_reason":"length"} ] , "usage": ${JSON.stringify(USAGE)} }\n `,
  'a name of the prototype': `{"__proto__":{"usage":1},${JSON.stringify(chat({ content: 'x' }, { usage: USAGE })).slice(1)}`,
  'a log of probabilities whose content is not output': JSON.stringify(chat({ content: 'x' }, {})).replace(
    '"finish_reason"',
    '"logprobs":{"content":[{"token":"many words that are no output"}]},"finish_reason"',
  ),
  'a member that is large': JSON.stringify(
    chat({ content: 'x' }, { extra: 'y'.repeat(100_000), usage: USAGE }),
  ),
}

test.each(Object.entries(VALID))(
  'a response with %s passes unchanged and is read as a whole one, however it is cut',
  (_, text) => {
    const bytes = Buffer.from(text)
    const { reading } = readAnswer({ operation: 'chat', bytes, readUsage: readOpenAiUsage })
    expect(reading.error).toBeUndefined()
    const sizes = text.length > 10_000 ? [997, text.length] : [1, 2, 3, 7, 64, text.length]
    for (const size of sizes) {
      const { text: sent, answer } = pass(text, size)
      expect(sent).toBe(text)
      expect({ isBroken: answer.isBroken, isComplete: answer.isComplete }).toEqual({
        isBroken: false,
        isComplete: true,
      })
      const { usage, finish, hasOutput, replyId, model } = answer.reading()
      expect({ usage, finish, hasOutput, replyId, model }).toEqual({
        usage: reading.usage,
        finish: reading.finish,
        hasOutput: reading.hasOutput,
        replyId: reading.replyId,
        model: reading.model,
      })
      // Escapes and cuts make the estimate a little larger.
      const counted = answer.reading().outputTokensCounted
      expect(counted).toBeGreaterThanOrEqual(reading.outputTokensCounted)
      if (size === text.length) expect(counted).toBeLessThanOrEqual(reading.outputTokensCounted * 1.5 + 8)
    }
  },
)

test('vectors, rankings and the cost of a vendor: the length stays, and the cost is gone', () => {
  const vectors = JSON.stringify({
    object: 'list',
    data: [{ embedding: [0.25, -1e-7] }],
    usage: { ...USAGE, cost: 0.5, is_byok: false },
  })
  for (const size of [1, 5, vectors.length]) {
    const { text, answer } = pass(vectors, size, 'embeddings')
    expect(text.length).toBe(vectors.length)
    expect(text).not.toContain('cost')
    expect(JSON.parse(text)).toEqual({ object: 'list', data: [{ embedding: [0.25, -1e-7] }], usage: USAGE })
    expect(answer.isComplete).toBe(true)
    expect(answer.reading()).toMatchObject({ hasOutput: true, outputTokensCounted: 0 })
  }
  expect(pass('{"results":[{"index":0}]}', 4, 'rerank').answer.isComplete).toBe(true)
})

const BROKEN: readonly string[] = [
  '',
  '[1]',
  '"text"',
  '<html>',
  '{"choices":[{"message":{"content":"x"}}]',
  '{"choices":[{"message":{"content":"x"}}]}}',
  '{"choices":[{"message":{"content":"x"}}]} x',
  '{"choices":[{"message":{"content":"x"}]}',
  '{"choices":[{"message":{"content":"x}}]}',
  '{"choices":[{"message":{"content" "x"}}]}',
  '{"choices":[{"message":{"content":"x",}}]}',
  '{"choices":[01]}',
  '{"choices":[1.]}',
  '{"choices":[-]}',
  '{"choices":[tru]}',
  '{"choices":[1 2]}',
  '{"choices":[,1]}',
  '{"choices":[1],,"a":1}',
  '{choices:[1]}',
  '{"choices":[]}',
  '{"choices":"x"}',
  '{"choices":[1],"choices":{}}',
  '{"data":[1]}',
  '{"choices":[1],"error":{"message":"overloaded"}}',
  `{"choices":${'['.repeat(200)}${']'.repeat(200)}}`,
  `{"choices":[1],"usage":"${'x'.repeat(70_000)}"}`,
]
test.each(BROKEN)('%j never counts as complete', (text) => {
  for (const size of text.length > 1_000 ? [1_000] : [1, 3, text.length + 1])
    expect(pass(text, size).answer.isComplete).toBe(false)
})

test('a walk keeps little of a response with a million members', () => {
  const members = Array.from({ length: 100_000 }, (_, at) => `"m${at}":1`).join(',')
  const { answer } = pass(
    `{${members},"choices":[{"message":{"content":"x"}}],"usage":${JSON.stringify(USAGE)}}`,
    65_536,
  )
  expect(answer.isComplete).toBe(true)
  expect(answer.reading().usage).toBeDefined()
})

type DialectOperation = 'messages' | 'responses' | 'generate'

function rulesOf(operation: DialectOperation): PairRules {
  const codec = codecOf(operation, undefined)
  return {
    asked: operation,
    caller: conversations[operation].caller,
    endpoint: operation,
    readUsage: codec?.readUsage ?? readOpenAiUsage,
    context: { model: 'm', fallbackId: 'f', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: false },
  }
}

const WORDS = 'some words and "quotes" \n'.repeat(20_000)
const DIALECTS: readonly [DialectOperation, string, object][] = [
  [
    'messages',
    'a search and a call of a tool',
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [
        { type: 'text', text: WORDS },
        { type: 'tool_use', id: 't', name: 'f', input: { usage: { input_tokens: 9 } } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 7, output_tokens: 9, server_tool_use: { web_search_requests: 2 } },
    },
  ],
  ['messages', 'no usage', { id: 'msg_1', model: 'claude', content: [{ type: 'text', text: WORDS }] }],
  [
    'responses',
    'searches that are charged',
    {
      id: 'resp_1',
      object: 'response',
      model: 'gpt',
      status: 'completed',
      output: [
        { type: 'web_search_call', id: 'w', status: 'completed' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: WORDS, annotations: [] }],
        },
        { type: 'web_search_call', id: 'x', status: 'completed' },
      ],
      usage: { input_tokens: 7, output_tokens: 9, total_tokens: 16, cost: 0 },
    },
  ],
  [
    'generate',
    'a picture and searches that are charged',
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: WORDS },
              { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo'.repeat(50_000) } },
            ],
          },
          finishReason: 'STOP',
          groundingMetadata: { webSearchQueries: ['a', 'b'] },
        },
      ],
      modelVersion: 'gemini-3-pro',
      responseId: 'r',
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 9, totalTokenCount: 16 },
    },
  ],
]

test.each(DIALECTS)(
  'a native response to %s with %s passes and is read as a whole one',
  (operation, _, body) => {
    const text = JSON.stringify(body)
    const rules = rulesOf(operation)
    const { reading } = readWhole(Buffer.from(text), rules)
    for (const size of [997, 65_536, text.length]) {
      const answer = new PassingAnswer({ operation, readUsage: rules.readUsage, rules })
      const bytes = Buffer.from(text)
      const sent: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size)
        for (const piece of answer.push(bytes.subarray(at, at + size))) sent.push(Buffer.from(piece))
      const passed = Buffer.concat(sent).toString()
      expect(passed.length).toBe(text.length)
      expect(passed).not.toContain('"cost"')
      expect(answer.isComplete).toBe(true)
      expect(answer.heldBytes).toBeLessThan(200 * 1024)
      const { usage, finish, hasOutput, replyId, model, outputTokensCounted } = answer.reading()
      const { raw: _raw, ...counts } = usage ?? { raw: undefined }
      const { raw: _other, ...expected } = reading.usage ?? { raw: undefined }
      expect({ counts, finish, hasOutput, replyId, model }).toEqual({
        counts: expected,
        finish: reading.finish,
        hasOutput: reading.hasOutput,
        replyId: reading.replyId,
        model: reading.model,
      })
      // Escapes make the estimate a little larger.
      expect(outputTokensCounted).toBeGreaterThanOrEqual(reading.outputTokensCounted * 0.98)
      expect(outputTokensCounted).toBeLessThanOrEqual(reading.outputTokensCounted * 1.5 + 8)
    }
  },
)

test.each<[DialectOperation, object]>([
  ['messages', { content: [{ type: 'text', text: WORDS }], error: { message: 'overloaded' } }],
  ['messages', { content: 'none' }],
  ['responses', { output: [{ type: 'message' }], status: 'failed' }],
  ['responses', { output: {} }],
  ['generate', { candidates: [] }],
  ['generate', { promptFeedback: { blockReason: 'SAFETY' }, candidates: [] }],
])('a response to %s that reports a failure is never complete: %j', (operation, body) => {
  const rules = rulesOf(operation)
  const answer = new PassingAnswer({ operation, readUsage: rules.readUsage, rules })
  answer.push(Buffer.from(JSON.stringify(body)))
  expect(answer.isComplete).toBe(false)
})
