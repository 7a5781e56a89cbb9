import { describe, expect, it } from 'vitest'
import { readAsk } from './ask.ts'
import type { OpenAiOperation } from './openai/operation.ts'

const messages = [{ role: 'user', content: 'hi' }]

function read(body: unknown, operation: OpenAiOperation = 'chat') {
  return readAsk(operation, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
}

function withInput(model?: string): Buffer {
  return Buffer.from(JSON.stringify({ model, input: 'a' }))
}

describe('readAsk', () => {
  it('reads the members that the relay needs and keeps the bytes', () => {
    const bytes = Buffer.from(
      '{"model":"m","messages":[{}],"stream":true,"stream_options":{"include_usage":true},"n":3,"max_tokens":7,"x":1.0}',
    )
    const ask = readAsk('chat', bytes)
    expect(ask).toMatchObject({
      model: 'm',
      isStream: true,
      wantsUsage: true,
      outputTokensMax: 7,
      choices: 3,
    })
    expect(ask.bytes).toBe(bytes)
    expect(ask.body['x']).toBe(1)
    expect(ask.members.map((member) => member.name)).toContain('stream_options')
  })

  it('treats null like an absent member', () => {
    const ask = read({ model: 'm', messages, stream: null, n: null, max_tokens: null, stream_options: null })
    expect(ask).toMatchObject({
      isStream: false,
      wantsUsage: undefined,
      outputTokensMax: undefined,
      choices: 1,
    })
  })

  it.each([
    { max_tokens: 9, max_completion_tokens: 5 },
    { max_tokens: 5, max_completion_tokens: 9 },
  ])('sends the smaller of two output limits as both of them: %o', (limits) => {
    const ask = read({ model: 'm', messages, ...limits, x: 1 })
    expect(ask.outputTokensMax).toBe(5)
    const sent: unknown = JSON.parse(ask.bytes.toString())
    expect(sent).toEqual({ model: 'm', messages, max_tokens: 5, max_completion_tokens: 5, x: 1 })
    expect(ask.body).toEqual(sent)
  })

  it('accepts either name of the output limit, and rejects a second one that is not a number', () => {
    const both = { model: 'm', messages, max_tokens: 9, max_completion_tokens: '5' }
    expect(() => read(both)).toThrow(expect.objectContaining({ code: 'member_invalid' }))
    expect(read({ model: 'm', messages, max_completion_tokens: 5 }).outputTokensMax).toBe(5)
  })

  it('counts every answer that a completions request may produce', () => {
    expect(read({ model: 'm', prompt: ['a', 'b'], n: 2, best_of: 4 }, 'completions').choices).toBe(8)
    expect(read({ model: 'm', prompt: [1, 2, 3] }, 'completions').choices).toBe(1)
    expect(() => read({ model: 'm', prompt: ['a', 'b', 'c'], n: 60 }, 'completions')).toThrow(
      'member_out_of_range',
    )
  })

  it('takes the model from the body, then the path, then the default', () => {
    const defaults = { pathModel: 'path', defaultModel: 'default' }
    expect(readAsk('embeddings', withInput('body'), defaults).model).toBe('body')
    expect(readAsk('embeddings', withInput(), defaults).model).toBe('path')
    expect(readAsk('moderations', withInput(''), { defaultModel: 'default' }).model).toBe('default')
  })

  it('accepts two million token numbers in an embedding request, because they do not count as separate JSON values', () => {
    const body = { model: 'm', input: Array(2_000_000).fill(0) }
    expect(readAsk('embeddings', Buffer.from(JSON.stringify(body))).model).toBe('m')
  })

  it.each<[string, unknown, string, OpenAiOperation?]>([
    ['nothing', '', 'unmarshal_request_failed'],
    ['a list', '[]', 'unmarshal_request_failed'],
    ['two objects', '{"model":"m"}{}', 'unmarshal_request_failed'],
    ['a half object', '{"model":"m"', 'unmarshal_request_failed'],
    ['bad JSON inside', '{"model":"m","messages":[tru]}', 'unmarshal_request_failed'],
    ['deep nesting', `{"model":"m","a":${'['.repeat(64)}${']'.repeat(64)}}`, 'body_too_deep'],
    ['too many values', { model: 'm', messages, a: Array(200_000).fill(0) }, 'body_too_many_values'],
    [
      'too many members of the request',
      `{"model":"m",${'"b":1,'.repeat(1_000)}"b":1}`,
      'body_too_many_members',
    ],
    ['too many members', `{"model":"m","a":{${'"b":1,'.repeat(10_000)}"b":1}}`, 'body_too_many_members'],
    [
      'too many numbers to embed',
      { model: 'm', input: Array(2_000_001).fill(0) },
      'body_too_many_values',
      'embeddings',
    ],
    ['no model', { messages }, 'model_required'],
    ['an empty model', { model: '', messages }, 'model_required'],
    ['a model that is no text', { model: 7, messages }, 'member_invalid'],
    ['a very long model', { model: 'm'.repeat(257), messages }, 'member_invalid'],
    ['no messages', { model: 'm' }, 'member_missing'],
    ['empty messages', { model: 'm', messages: [] }, 'member_missing'],
    ['messages that are a text', { model: 'm', messages: 'hi' }, 'member_invalid'],
    ['messages of texts', { model: 'm', messages: ['hi'] }, 'member_invalid'],
    ['negative n', { model: 'm', messages, n: -1 }, 'member_out_of_range'],
    ['huge n', { model: 'm', messages, n: 129 }, 'member_out_of_range'],
    ['a fraction of n', { model: 'm', messages, n: 1.5 }, 'member_out_of_range'],
    ['n as a text', { model: 'm', messages, n: '1' }, 'member_invalid'],
    ['negative max_tokens', { model: 'm', messages, max_tokens: -5 }, 'member_out_of_range'],
    ['huge max_tokens', { model: 'm', messages, max_tokens: 2 ** 30 + 1 }, 'member_out_of_range'],
    ['infinite max_tokens', `{"model":"m","messages":[{}],"max_tokens":1e999}`, 'member_out_of_range'],
    ['stream as a text', { model: 'm', messages, stream: 'true' }, 'member_invalid'],
    ['stream_options as a flag', { model: 'm', messages, stream_options: true }, 'member_invalid'],
    ['two models', '{"model":"a","messages":[{}],"model":"b"}', 'member_repeated'],
    ['a model in other letters', '{"model":"a","messages":[{}],"Model":"b"}', 'member_repeated'],
    ['a model with an escape', '{"model":"a","messages":[{}],"mod\\u0065l":"b"}', 'member_repeated'],
    ['no prompt', { model: 'm' }, 'member_missing', 'completions'],
    ['too many inputs', { model: 'm', input: Array(2049).fill('a') }, 'member_too_long', 'embeddings'],
    ['empty input', { model: 'm', input: [] }, 'member_missing', 'embeddings'],
    ['input that is a number', { model: 'm', input: 5 }, 'member_invalid', 'moderations'],
  ])('the reader refuses %s', (_name, body, code, operation = 'chat') => {
    expect(() => read(body, operation)).toThrow(expect.objectContaining({ code }))
  })

  it('treats member names that are special in JavaScript like any other', () => {
    const ask = read('{"model":"m","messages":[{}],"__proto__":{"n":5},"constructor":1}')
    expect(ask.choices).toBe(1)
    expect(({} as Record<string, unknown>)['n']).toBeUndefined()
  })
})
