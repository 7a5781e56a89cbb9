import { describe, expect, it } from 'vitest'
import { readAsk } from '../ask.ts'
import type { CallOperation } from '../conversations.ts'
import { readFormAsk } from '../media/read-form-ask.ts'
import { uncountedMembers } from '../uncounted-input/index.ts'
import { checkedMembers } from './members.ts'
import { foldName } from '@tollgate/kit/fold-name'

const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const contents = [{ parts: [{ text: 'hi' }] }]

function read(operation: CallOperation, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readAsk(operation, Buffer.from(text), { pathModel: 'm' })
}

describe('a judged member', () => {
  it.each<[CallOperation, Record<string, unknown>, string, string]>([
    [
      'responses',
      { model: 'm', input: 'a', Previous_response_id: 'r' },
      'misspelled',
      'previous_response_id',
    ],
    [
      'responses',
      { model: 'm', input: 'a', PREVIOUS_RESPONSE_ID: 'r' },
      'misspelled',
      'previous_response_id',
    ],
    [
      'responses',
      { model: 'm', input: 'a', previouſ_response_id: 'r' },
      'misspelled',
      'previous_response_id',
    ],
    ['responses', { model: 'm', input: 'a', Conversation: 'c' }, 'misspelled', 'conversation'],
    ['responses', { model: 'm', input: 'a', Background: true }, 'misspelled', 'background'],
    [
      'responses',
      { model: 'm', input: [{ type: 'additional_tools', Tools: [{ type: 'web_search' }] }] },
      'misspelled',
      'input.tools',
    ],
    [
      'responses',
      { model: 'm', input: [{ type: 'additional_tools', tools: [{ type: 'x', Max_Uses: 9 }] }] },
      'misspelled',
      'input.tools.max_uses',
    ],
    ['chat', { ...chat, Service_Tier: 'priority' }, 'misspelled', 'service_tier'],
    ['chat', { ...chat, TOOLS: [] }, 'misspelled', 'tools'],
    ['chat', { ...chat, Web_Search_Options: {} }, 'misspelled', 'web_search_options'],
    ['chat', { ...chat, Modalities: ['audio'] }, 'misspelled', 'modalities'],
    ['chat', { ...chat, Audio: {} }, 'misspelled', 'audio'],
    ['chat', { ...chat, maxTokens: 5 }, 'misspelled', 'max_tokens'],
    ['chat', { ...chat, tools: [{ type: 'x', Max_Uses: 9 }] }, 'misspelled', 'tools.max_uses'],
    ['generate', { contents, generationConfig: {}, generation_config: {} }, 'repeated', 'generationConfig'],
    [
      'generate',
      { contents, generationConfig: { maxOutputTokens: 1, max_output_tokens: 9 } },
      'repeated',
      'generationConfig.maxOutputTokens',
    ],
    [
      'generate',
      { contents, generation_config: { candidateCount: 1, candidate_count: 9 } },
      'repeated',
      'generationConfig.candidateCount',
    ],
    [
      'generate',
      { contents, generationConfig: { thinkingConfig: { ThinkingBudget: 9 } } },
      'misspelled',
      'generationConfig.thinkingConfig.thinkingBudget',
    ],
    [
      'generate',
      { contents: [{ parts: [{ fileData: {}, file_data: {} }] }] },
      'repeated',
      'contents.parts.fileData',
    ],
  ])('a member in %s is refused in another spelling: %o', (operation, body, kind, param) => {
    const refusal = { code: `member_${kind}`, parameters: expect.objectContaining({ param }) as unknown }
    expect(() => read(operation, body)).toThrow(expect.objectContaining(refusal))
  })

  it.each([
    ['{"contents":[{"parts":[]}],"generationConfig":{"maxOutputTokens":1,"maxOutputTokens":9}}', 'generate'],
    ['{"contents":[{"parts":[{"text":"short","text":"long"}]}]}', 'generate'],
    ['{"messages":[{"role":"user","content":"short","content":"long"}]}', 'chat'],
    ['{"messages":[{"content":[{"type":"text","text":"short","te\\u0078t":"long"}]}]}', 'messages'],
    ['{"messages":[{}],"stream_options":{"include_usage":true,"include_usage":false}}', 'chat'],
    ['{"messages":[{"content":[{"content":[{"text":"a","text":"b"}]}]}]}', 'messages'],
  ] as const)('is rejected when it occurs twice: %s', (text, operation) => {
    expect(() => read(operation, text)).toThrow(expect.objectContaining({ code: 'member_repeated' }))
  })

  it('is accepted with escaped letters in its name', () => {
    const text = '{"mod\\u0065l":"m","messages":[{"role":"user","c\\u006fntent":"hi"}],"max_tok\\u0065ns":7}'
    expect(read('chat', text)).toMatchObject({ model: 'm', outputTokensMax: 7 })
  })

  it('is named in an error that makes invisible characters visible', () => {
    expect(() => read('chat', { ...chat, 'max_\u200btokens': 5 })).toThrow(
      expect.objectContaining({ parameters: { param: 'max_tokens', written: '"max_\\u200btokens"' } }),
    )
  })

  it('is detected in a judged place after the same name occurred in a place that is not judged', () => {
    const body = { messages: [{ role: 'user', content: 'hi', Max_Tokens: 1 }], model: 'm', Max_Tokens: 9 }
    expect(() => read('chat', body)).toThrow(expect.objectContaining({ code: 'member_misspelled' }))
  })

  it.each([
    ['a name of a thousand letters', { ...chat, ['n'.repeat(1100)]: 1 }],
    [
      'more foreign names than any API has',
      {
        ...chat,
        stream_options: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`名${at}`, at])),
      },
    ],
  ])('cannot be hidden by %s', (_name, body) => {
    expect(() => read('chat', body)).toThrow(expect.objectContaining({ code: 'member_invalid' }))
  })

  it('is detected whatever other names earlier requests had', () => {
    const letters = ['a', 'b', 'c', 'd', 'e', 'f']
    const others = Array.from({ length: 40 }, (_, at) =>
      letters.map((letter) => letter.repeat(at + 1)),
    ).flat()
    const body = { ...chat, ...Object.fromEntries(others.map((name) => [name, 1])) }
    for (const _ of [1, 2]) expect(read('chat', body)).toMatchObject({ model: 'm' })
    for (const name of ['maxTokens', 'MAX_TOKENS', 'max-tokens', 'Tools', 'N'])
      expect(() => read('chat', { ...body, [name]: 5 }), name).toThrow(
        expect.objectContaining({ code: 'member_misspelled' }),
      )
  })

  it('is judged inside a string that contains JSON', () => {
    const options = '{"max_images":1,"Max_Images":15}'
    const body = { model: 'm', prompt: 'a', sequential_image_generation_options: options }
    expect(() => read('images', body)).toThrow(expect.objectContaining({ code: 'member_repeated' }))
  })
})

describe('content that is not judged', () => {
  const own = { N: 1, n: 2, Max_Tokens: 3, max_tokens: 4, Model: 'x' }
  const repeated = '{"n":1,"n":2,"N":3}'

  it.each<[string, CallOperation, Record<string, unknown>]>([
    [
      'the schema of a tool',
      'chat',
      { ...chat, tools: [{ type: 'function', function: { parameters: own } }] },
    ],
    ['the schema of an older tool', 'chat', { ...chat, functions: [{ parameters: own }] }],
    ['the schema of a tool of Claude', 'messages', { ...chat, tools: [{ name: 'f', input_schema: own }] }],
    ['metadata', 'chat', { ...chat, metadata: own }],
    ['arguments of a call', 'messages', { messages: [{ content: [{ type: 'tool_use', input: own }] }] }],
    [
      'arguments of a call of Gemini',
      'generate',
      { contents: [{ parts: [{ functionCall: { args: own } }, { functionResponse: { response: own } }] }] },
    ],
    [
      'the schema of an answer',
      'generate',
      { contents, generationConfig: { responseSchema: own, response_json_schema: own } },
    ],
    ['a text', 'chat', { messages: [{ role: 'user', content: repeated }] }],
    ['a text in the place of messages', 'responses', { input: repeated, instructions: repeated }],
    ['members of its own', 'chat', { ...chat, logit_bias: own, Temperature: 1, temperature: 2 }],
  ])('%s passes as the caller wrote it', (_name, operation, body) => {
    const bytes = Buffer.from(JSON.stringify(body).replace('"N":1', '"N":1,"N":1'))
    expect(readAsk(operation, bytes, { pathModel: 'm' }).bytes).toBe(bytes)
  })
})

function form(...fields: readonly (readonly [name: string, value: string, fileName?: string])[]) {
  const parts = [['model', 'm'], ['image', 'x', 'a.png'], ...fields].map(
    ([name = '', value = '', file]) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}\r\n\r\n${value}\r\n`,
  )
  const bytes = Buffer.from(`${parts.join('')}--b--\r\n`)
  const contentType = 'multipart/form-data; boundary=b'
  return readFormAsk({ operation: 'image-variations', bytes, contentType, defaults: {} })
}

describe('a form field', () => {
  it.each([
    ['in other letters', 'N', 'member_misspelled'],
    ['in full width', 'ｎ', 'member_misspelled'],
    ['as a list', 'n[]', 'member_misspelled'],
    ['with an index', 'size[0]', 'member_misspelled'],
    ['twice', 'model', 'member_repeated'],
  ])('that is judged is rejected %s', (_name, field, code) => {
    expect(() => form([field, '9'])).toThrow(expect.objectContaining({ code }))
  })

  it('that is judged is rejected as a file', () => {
    expect(() => form(['n', '9', 'n.txt'])).toThrow(expect.objectContaining({ code: 'member_invalid' }))
  })

  it('that is an image may occur several times', () => {
    expect(form(['image[]', 'y', 'b.png'], ['image[]', 'z', 'c.png'], ['n', '2']).choices).toBe(2)
  })
})

it.each([
  'max_tokens',
  'maxTokens',
  'MAX-TOKENS',
  'max tokens',
  'ｍax_tokens',
  'mаx_tokens',
  'max_to\u212Aens',
  'Max_Tokenſ',
  'max\u00ad_tokens',
])('the name %s folds to the same key as max_tokens', (name) => {
  expect(foldName(name)).toBe('maxtokens')
})

it.each(['模型n', '$n', 'n1', 'nn', '@n'])('the name %s does not fold to the key of n', (name) => {
  expect(foldName(name)).not.toBe('n')
})

const ofOneDialect = new Set<string>([
  'messages',
  'input',
  'contents',
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'prompt',
  'extra_body',
])

it.each(['chat', 'messages', 'responses', 'compact', 'generate'] as const)(
  'every member that makes an upstream of %s read more is judged',
  (operation) => {
    const wanted = uncountedMembers.filter((name) => !ofOneDialect.has(name))
    expect(wanted.filter((name) => checkedMembers[operation].exactly(name) === undefined)).toEqual([])
  },
)
