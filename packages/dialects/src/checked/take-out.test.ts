import { describe, expect, it } from 'vitest'
import { readAsk } from '../ask.ts'
import { readFormAsk } from '../media/read-form-ask.ts'
import type { CallOperation } from '../conversations.ts'
import { lenientPolicy, type MemberPolicy } from './take-out.ts'

const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const strict: MemberPolicy = { unknown: 'take-out', harmless: new Set() }

function read(operation: CallOperation, body: unknown, policy = lenientPolicy) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readAsk(operation, Buffer.from(text), { pathModel: 'm' }, policy)
}

describe('a member that chooses', () => {
  it.each<[CallOperation, Record<string, unknown>, string]>([
    ['chat', { ...chat, preset: 'dear' }, 'preset'],
    ['chat', { ...chat, API_BASE: 'http://evil' }, 'api_base'],
    ['chat', { ...chat, аpi_key: 'x' }, 'api_key'],
    ['chat', { ...chat, fallbackModels: ['dear'] }, 'fallback_models'],
    ['chat', { ...chat, modelId: 'dear' }, 'model_id'],
    ['chat', { ...chat, backup_models: ['dear'] }, 'backup_models'],
    ['chat', { ...chat, 'm\u043edel_name': 'dear' }, 'm\u043edel_name'],
    ['chat', { ...chat, extra_body: { model: 'dear' } }, 'extra_body.model'],
    ['chat', { ...chat, extra_fields: { n: 4 } }, 'extra_fields.n'],
    ['chat', { ...chat, of_tomorrow: { deeper: [{ engine: 'dear' }] } }, 'of_tomorrow.deeper.engine'],
    ['chat', { ...chat, plugins: [{ id: 'auto', models: ['dear'] }] }, 'plugins.models'],
    ['chat', { messages: [{ role: 'user', content: 'hi', model: 'dear' }] }, 'messages.model'],
    ['messages', { ...chat, fallback_model: 'dear' }, 'fallback_model'],
    ['responses', { input: 'hi', custom_llm_provider: 'x' }, 'custom_llm_provider'],
    ['generate', { contents: [{ parts: [{ text: 'hi' }] }], modelName: 'dear' }, 'modelName'],
    ['embeddings', { input: 'hi', deployment_id: 'dear' }, 'deployment_id'],
    ['images', { prompt: 'hi', engine: 'dear' }, 'engine'],
  ])('is taken out of %s, whoever sends it: %j', (operation, body, param) => {
    const ask = read(operation, body)
    expect(ask.names?.taken).toEqual([param])
    expect(ask.bytes.toString()).not.toMatch(/dear|evil|"x"|"n":4/)
    expect(JSON.parse(ask.bytes.toString())).toEqual(ask.body)
  })

  it('is left where the caller’s own content is', () => {
    const own = { model: 'x', models: ['y'], api_base: 'z' }
    const body = {
      ...chat,
      metadata: own,
      tools: [{ type: 'function', function: { name: 'f', parameters: { properties: own } } }],
      of_tomorrow: { schema: { properties: own } },
      response_format: { type: 'json_schema', json_schema: { schema: own } },
    }
    expect(read('chat', body).body).toEqual(body)
  })
})

describe('a member that nobody knows', () => {
  const body = { a_thing: 1, ...chat, reasoning: { depth: 3, effort: 'low' }, z_thing: { b: [1, 2] } }

  it('passes and is named for an account that has paid', () => {
    const ask = read('chat', body)
    expect(ask.body).toEqual(body)
    expect(ask.names).toMatchObject({ taken: [], unknown: ['a_thing', 'reasoning.depth', 'z_thing'] })
  })

  it('is taken out for other accounts; all other bytes stay', () => {
    const text =
      '{ "a_thing" : 1 , "model":"m","n": 1.0, "messages":[{"role":"user","content":"hi", "x":[]}] , "z": {} }'
    const ask = read('chat', text, strict)
    expect(ask.bytes.toString()).toBe(
      '{  "model":"m","n": 1.0, "messages":[{"role":"user","content":"hi"}] }',
    )
    expect(ask.names?.taken).toEqual(['a_thing', 'messages.x', 'z'])
    expect(ask.members.map(({ name }) => name)).toEqual(['model', 'n', 'messages'])
  })

  it('passes if the operator found it harmless', () => {
    const ask = read('chat', body, { ...strict, harmless: new Set(['reasoning.depth', 'z_thing']) })
    expect(ask.names?.taken).toEqual(['a_thing'])
  })

  it('is refused by name where the group’s rule says so', () => {
    expect(() => read('chat', body, { ...strict, unknown: 'refuse' })).toThrow(
      expect.objectContaining({ code: 'member_unknown', parameters: { param: 'a_thing' } }),
    )
  })

  it.each([
    ['{"x":1}', '{}'],
    ['{"x":1,"y":2}', '{}'],
    ['{"x":{"y":[{"z":1}]},"n":1}', '{"n":1}'],
    ['{"n":1,"x":1,"stop":"a","y":2,"z":3}', '{"n":1,"stop":"a"}'],
    ['{"x":1,"n":1,"x":2}', '{"n":1}'],
  ])('leaves valid JSON behind: %s', (members, kept) => {
    const text = `{"messages":[{"role":"user","content":"hi"}],"reasoning":${members}}`
    const left = read('chat', text.replaceAll(/"(n|stop)"/g, '"$1_of_it"').replaceAll('_of_it', ''), {
      ...strict,
      harmless: new Set(['reasoning.n', 'reasoning.stop']),
    })
    expect(JSON.stringify(left.body['reasoning'])).toBe(kept)
  })
})

function form(policy: MemberPolicy, ...fields: readonly (readonly [string, string])[]) {
  const parts = [['model', 'm'], ['file', 'x', 'a.mp3'], ...fields].map(
    ([name = '', value = '', file]) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n${value}\r\n`,
  )
  const bytes = Buffer.from(`${parts.join('')}--b--\r\n`)
  const contentType = 'multipart/form-data; boundary=b'
  return readFormAsk({ operation: 'transcriptions', bytes, contentType, defaults: {}, policy })
}

it.each(['api_base', 'models', 'Fallback_Model', 'engine', 'backup_models[0]'])(
  'the form field %s is taken out, whoever sends it',
  (field) => {
    const ask = form(lenientPolicy, [field, 'dear'], ['language', 'en'])
    expect(ask.names?.taken).toEqual([field])
    expect(ask.form?.parts.map(({ name }) => name)).toEqual(['model', 'file', 'language'])
    expect(ask.body).toEqual({ model: 'm', language: 'en' })
  },
)

it('an unknown form field is taken out for accounts that never paid', () => {
  expect(form(strict, ['of_tomorrow', '1']).body).toEqual({ model: 'm' })
  expect(form(lenientPolicy, ['of_tomorrow', '1']).body).toEqual({ model: 'm', of_tomorrow: '1' })
})

it.each(['models[0]', 'extra_body[model]', 'Models'])('the form field %s is refused', (field) => {
  expect(() => form(lenientPolicy, [field, 'dear'])).toThrow(
    expect.objectContaining({ code: 'member_misspelled' }),
  )
})

describe('a member that sounds like state', () => {
  const stateful: readonly [CallOperation, Record<string, unknown>][] = [
    ['chat', { ...chat, thread_id: 't' }],
    ['chat', { ...chat, conversationKey: { id: 1 } }],
    ['messages', { ...chat, max_tokens: 9, resume_from: ['a'] }],
    ['responses', { input: 'hi', parent_turn: 3 }],
    ['generate', { contents: [{ parts: [{ text: 'hi' }] }], previousInteraction: 'i' }],
  ]

  it.each(stateful)('is never taken out of %s, but refused: %j', (operation, body) => {
    expect(() => read(operation, body, strict)).toThrow(expect.objectContaining({ code: 'member_unknown' }))
    expect(read(operation, body).names?.taken ?? []).toEqual([])
  })

  it.each(['null', 'false', '""', '[ ]', '{}'])(
    'with the value %s asks for nothing, unless it is an object',
    (value) => {
      const body = `{"model":"m","messages":[{"role":"user","content":"hi"}],"thread_id" : ${value} }`
      if (value === '{}') expect(() => read('chat', body, strict)).toThrow()
      else expect(read('chat', body, strict).names?.taken).toEqual(['thread_id'])
    },
  )

  it('passes where a row knows it, and where the operator found it harmless', () => {
    expect(read('chat', { ...chat, session_id: 's' }, strict).names?.taken ?? []).toEqual([])
    const policy = { ...strict, harmless: new Set(['thread_id']) }
    expect(read('chat', { ...chat, thread_id: 't' }, policy).names?.taken ?? []).toEqual([])
  })
})
