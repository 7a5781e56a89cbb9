import { describe, expect, it } from 'vitest'
import { readAsk } from '../ask.ts'
import { conversations } from '../conversations.ts'
import { geminiCaller } from './codec.ts'
import { normalizeBody } from './normal-body.ts'
import { geminiProtocol, spellSnake, type GeminiMessage, type ProtocolMember } from './protocol.ts'

const messages = Object.keys(geminiProtocol).filter((name): name is GeminiMessage => name in geminiProtocol)
const rows = messages.flatMap((message) =>
  [...new Set(geminiProtocol[message].values())].map((member) => ({ message, member, name: member.name })),
)
const USER_NULLS = new Set(['default', 'example', 'enum'])

describe.each(rows)('the member $name of $message', ({ message, member, name }) => {
  const snake = spellSnake(name)

  it('is not set by null, in either spelling', () => {
    const kept = member.kind === 'user' && USER_NULLS.has(name)
    for (const spelling of new Set([name, snake]))
      expect(normalizeBody({ [spelling]: null, other: null }, message)).toEqual(
        kept ? { [name]: null, other: null } : { other: null },
      )
  })
})

describe.each(rows.filter(({ name }) => spellSnake(name) !== name))(
  'the member $name of $message',
  ({ message, member, name }) => {
    const snake = spellSnake(name)

    it('has one spelling at a time, null included', () => {
      expect(normalizeBody({ [snake]: sample(member) }, message)).toEqual(
        normalizeBody({ [name]: sample(member) }, message),
      )
      for (const value of [null, sample(member)])
        for (const both of [
          { [name]: value, [snake]: 1 },
          { [snake]: 1, [name]: value },
        ])
          expect(() => normalizeBody(both, message)).toThrow(
            expect.objectContaining({ code: 'member_repeated' }),
          )
    })
  },
)

function sample({ kind, isList }: ProtocolMember): unknown {
  if (kind === 'message') return isList ? [{ own_name: null }] : { own_name: null }
  return kind === 'map' || kind === 'user' ? { own_name: null } : 'a text'
}

describe('a body', () => {
  it('without anything to change is the same object', () => {
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'a/b', data: 'QQ' } }] }],
      tools: [
        { functionDeclarations: [{ name: 'f', parameters: { type: 'OBJECT', properties: { a: {} } } }] },
      ],
      generationConfig: { responseModalities: ['TEXT'], thinkingConfig: { thinkingLevel: 'LOW' } },
    }
    expect(normalizeBody(body, 'GenerateContentRequest')).toBe(body)
  })

  it("keeps what is the caller's", () => {
    const own = { max_length: null, any_of: [{ min_items: null }], __proto__x: { parts: null } }
    const body = {
      contents: [
        { role: 'model', parts: [{ function_call: { name: 'f', args: own } }] },
        { role: 'user', parts: [{ function_response: { name: 'f', response: own } }] },
      ],
      tools: [
        {
          function_declarations: [
            {
              name: 'f',
              parameters_json_schema: own,
              response_json_schema: own,
              parameters: {
                type: 'object',
                properties: {
                  max_length: { type: 'string', enum: ['any_of', null], default: own, example: [own] },
                  any_of: { $defs: own },
                  ['__proto__']: { type: 'string' },
                },
                required: ['max_length'],
              },
            },
          ],
        },
      ],
      generation_config: { response_json_schema: own, response_modalities: ['text'] },
      own_member: own,
    }
    const declaration = {
      name: 'f',
      parametersJsonSchema: own,
      responseJsonSchema: own,
      parameters: {
        type: 'OBJECT',
        properties: {
          max_length: { type: 'STRING', enum: ['any_of', null], default: own, example: [own] },
          any_of: { $defs: own },
          ['__proto__']: { type: 'STRING' },
        },
        required: ['max_length'],
      },
    }
    expect(normalizeBody(body, 'GenerateContentRequest')).toEqual({
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'f', args: own } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: own } }] },
      ],
      tools: [{ functionDeclarations: [declaration] }],
      generationConfig: { responseJsonSchema: own, responseModalities: ['TEXT'] },
      own_member: own,
    })
  })

  it('may have one message where a list is expected', () => {
    const declarations = { function_declarations: { name: 'f' } }
    expect(normalizeBody({ tools: declarations }, 'GenerateContentRequest')).toEqual({
      tools: [{ functionDeclarations: [{ name: 'f' }] }],
    })
  })
})

function schema(inside: object) {
  return { generationConfig: { responseSchema: inside } }
}

it('is rewritten once at each level, however deep', () => {
  let changes = 0
  const leaf = {
    get max_length() {
      changes++
      return 5
    },
  }
  let deep: object = leaf
  for (let level = 0; level < 20; level++) deep = { any_of: [deep], properties: { a: { type: 'string' } } }
  normalizeBody({ response_schema: deep }, 'GenerationConfig')
  expect(changes).toBeLessThan(5)
})

describe('two spellings of a member', () => {
  const parts = [{ text: 'hi' }]
  it.each([
    schema({ anyOf: [], any_of: null }),
    schema({ properties: { a: { items: { minItems: 1, min_items: 1 } } } }),
    { tools: [{ functionDeclarations: [{ name: 'f', parameters: { maxLength: null, max_length: 2 } }] }] },
    { generationConfig: { responseMimeType: 'a', response_mime_type: null } },
    { safetySettings: null, safety_settings: [] },
    { toolConfig: { functionCallingConfig: {}, function_calling_config: {} } },
  ])('are refused before any upstream is chosen: %j', (more) => {
    const bytes = Buffer.from(JSON.stringify({ contents: [{ parts }], ...more }))
    expect(() => readAsk('generate', bytes, { pathModel: 'm' })).toThrow(
      expect.objectContaining({ code: 'member_repeated' }),
    )
  })

  it("in the caller's own values are not", () => {
    const own = { maxLength: 1, max_length: null }
    const more = schema({ properties: { a: { default: own }, maxLength: {}, max_length: {} } })
    const bytes = Buffer.from(JSON.stringify({ contents: [{ parts }], ...more }))
    expect(readAsk('generate', bytes, { pathModel: 'm' }).bytes).toBe(bytes)
  })
})

function readWith(more: object) {
  return geminiCaller('sse').readConversation(
    { contents: [{ parts: [{ text: 'hi' }] }], ...more },
    { model: 'm' },
  )
}

describe('a converted body', () => {
  it('has schemas with their unions, limits and definitions, from either spelling', () => {
    const { format, tools } = readWith({
      generation_config: {
        response_mime_type: 'application/json',
        response_schema: {
          type: 'OBJECT',
          property_ordering: ['a'],
          properties: {
            a: { any_of: [{ type: 'STRING', max_length: '5' }, { type: 'INTEGER' }], nullable: null },
            b: { type: 'array', min_items: 1, max_items: 3, items: { ref: '#/defs/c' } },
          },
          defs: { c: { type: 'NUMBER', min_properties: null } },
          additional_properties: { type: 'STRING', min_length: 2 },
        },
      },
      tools: [
        { functionDeclarations: [{ name: 'f', parameters: { type: ['STRING', 'NULL'], min_length: 1 } }] },
      ],
    })
    expect(format).toEqual({
      type: 'schema',
      name: 'response',
      schema: {
        type: 'object',
        properties: {
          a: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'integer' }] },
          b: { type: 'array', minItems: 1, maxItems: 3, items: { $ref: '#/$defs/c' } },
        },
        $defs: { c: { type: 'number' } },
        additionalProperties: { type: 'string', minLength: 2 },
      },
    })
    expect(tools).toMatchObject([{ parameters: { type: ['string', 'null'], minLength: 1 } }])
  })

  it('has no tool that is null', () => {
    const tools = [
      { functionDeclarations: [{ name: 'f', parameters: null }], codeExecution: null, urlContext: null },
    ]
    expect(readWith({ tools }).tools).toMatchObject([{ type: 'function', name: 'f' }])
    expect(readWith({ tools: [{ googleSearch: null }] }).tools).toEqual([])
  })

  it.each([
    { inlineData: { mimeType: 'image/png', data: '--__' } },
    { inline_data: { mime_type: 'image/png', data: '--__' }, text: null, functionCall: null },
    { inlineData: { mimeType: 'image/png', data: '-\n-__' } },
  ])('has pictures in the alphabet of other vendors: %j', (part) => {
    const read = conversations.generate.caller.readConversation(
      { contents: [{ parts: [part] }] },
      { model: 'm' },
    )
    const result = { functionResponse: { name: 'f', response: {}, parts: [part] } }
    const call = { functionCall: { name: 'f' } }
    const answered = conversations.generate.caller.readConversation(
      { contents: [{ role: 'model', parts: [call] }, { parts: [result] }] },
      { model: 'm' },
    )
    for (const operation of ['chat', 'messages', 'responses', 'generate'] as const)
      for (const conversation of [read, answered]) {
        const { upstream } = conversations[operation]
        const sent = JSON.stringify(upstream.writeRequest(conversation, { outputTokensDefault: 9 }))
        expect(sent).toContain('++//')
        expect(sent).not.toContain('--__')
      }
  })
})

it('the members that hold bytes are known, and each is read in either alphabet', () => {
  const bytes = rows
    .filter(({ member }) => member.kind === 'bytes')
    .map(({ message, name }) => `${message}.${name}`)
  // Signatures have a test of their own; a voice sample only reaches Google, as it came.
  expect(bytes.toSorted()).toEqual([
    'Blob.data',
    'Part.thoughtSignature',
    'ReplicatedVoiceConfig.voiceSampleAudio',
  ])
})
