import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAnswer, type AnswerInput } from './answer.ts'
import { replayAsStream } from './replay.ts'
import { readOpenAiUsage } from '../openai-usage.ts'

const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }

function read(answer: unknown, input: Partial<AnswerInput> = {}) {
  const bytes = Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer))
  return { sent: bytes, ...readAnswer({ operation: 'chat', readUsage: readOpenAiUsage, ...input, bytes }) }
}

function chat(message: object, finish = 'stop') {
  return {
    id: 'a',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage,
  }
}

function vendorError(answer: object): string | undefined {
  return 'base_resp' in answer ? 'insufficient balance' : undefined
}

describe('readAnswer', () => {
  it('reads a chat response and passes its bytes through', () => {
    const { bytes, sent, reading } = read(chat({ content: 'Hello there' }))
    expect(bytes).toBe(sent)
    expect(reading).toMatchObject({
      usage: { inputText: 9, outputText: 4 },
      finish: { reason: 'stop', raw: 'stop' },
      hasOutput: true,
      isComplete: true,
      error: undefined,
    })
    expect(reading.outputTokensCounted).toBeGreaterThan(1)
  })

  it.each<[string, AnswerInput['operation'], object, boolean]>([
    [
      'tool calls alone',
      'chat',
      chat({ content: null, tool_calls: [{ id: 't', function: { name: 'f', arguments: '{}' } }] }),
      true,
    ],
    ['audio alone', 'chat', chat({ content: null, audio: { id: 'a', data: 'AAAA', transcript: '' } }), true],
    ['reasoning alone', 'chat', chat({ content: '', reasoning_content: 'hm' }, 'length'), true],
    ['an empty message', 'chat', chat({ content: '' }), false],
    [
      'a legacy completion',
      'completions',
      { choices: [{ text: 'x', index: 0, finish_reason: 'length' }] },
      true,
    ],
    ['vectors', 'embeddings', { object: 'list', data: [{ embedding: [0.5], index: 0 }], usage }, true],
    ['no vectors', 'embeddings', { object: 'list', data: [] }, false],
    ['verdicts', 'moderations', { id: 'm', results: [{ flagged: false }] }, true],
  ])('the reader knows whether there is output: %s', (_name, operation, answer, hasOutput) => {
    expect(read(answer, { operation }).reading).toMatchObject({ hasOutput, error: undefined })
  })

  it.each([
    ['nothing', '', 'empty_response'],
    ['blanks', ' \n ', 'empty_response'],
    ['a web page', '<!doctype html><p>504 at gw.example.com</p>', 'bad_response_body'],
    ['garbage', '\u0000\u0001{', 'bad_response_body'],
    ['half an answer', '{"choices":[{"mess', 'bad_response_body'],
    ['a list', '[]', 'bad_response_body'],
    ['an object that is no answer', '{"status":"ok"}', 'bad_response_body'],
    ['a text without a choice', '{"choices":[]}', 'bad_response_body'],
    [
      'an error object',
      '{"error":{"message":"no","type":"t","code":"insufficient_quota"}}',
      'insufficient_quota',
    ],
    ['an error text', '{"error":"no"}', 'stream_response_error'],
  ])('treats %s as an error', (_name, text, code) => {
    const { reading } = read(text)
    expect(reading.error).toMatchObject({ code })
    expect(reading).toMatchObject({ hasOutput: false, isComplete: false, usage: undefined })
  })

  it('uses the provider to detect errors in a vendor format', () => {
    expect(
      read({ base_resp: { status_code: 1008 }, choices: [] }, { errorInside: vendorError }).reading.error,
    ).toMatchObject({
      message: 'insufficient balance',
      status: 502,
    })
  })

  it('merges reasoning, rebuilds the response, and applies the adjustment of a provider', () => {
    const answer = { ...chat({ content: 'So.', reasoning_content: 'why' }), extra: 1 }
    const merged = JSON.parse(read(answer, { thinkingToContent: true }).bytes.toString())
    expect(merged.choices[0].message).toEqual({ role: 'assistant', content: '<think>\nwhy\n</think>\nSo.' })
    expect(merged.extra).toBe(1)
    const forced = JSON.parse(read(answer, { forceFormat: true }).bytes.toString())
    expect(forced).toMatchObject({ id: 'a', object: 'chat.completion', usage })
    expect(forced.extra).toBeUndefined()
    const odd = { result: { response: 'hi' } }
    const adjusted = read(odd, {
      operation: 'completions',
      adjustAnswer: () => ({ choices: [{ index: 0, text: 'hi', finish_reason: 'stop' }] }),
    })
    expect(adjusted.reading).toMatchObject({ hasOutput: true, outputTokensCounted: 1 })
  })

  it('never throws', () => {
    const operation = fc.constantFrom('chat', 'completions', 'embeddings', 'moderations')
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.uint8Array(), operation, (text, noise, each) => {
        read(text, { operation: each, thinkingToContent: true, forceFormat: true })
        readAnswer({ operation: each, readUsage: readOpenAiUsage, bytes: Buffer.from(noise) })
        replayAsStream(Buffer.from(text), { forwardsUsage: true })
      }),
      { numRuns: 2000 },
    )
  })
})
