import type { Content, GenerateContentParameters, GenerateContentResponse } from '@google/genai'
import { assert, array, constantFrom, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  callPart,
  partsOf,
  reasoningPart,
  someReply,
  someText,
  textPart,
} from '../../test/support/arbitrary.ts'
import { violations } from '../canonical/check-events.ts'
import { ReplyCollector } from '../canonical/collect.ts'
import type { Conversation } from '../canonical/conversation.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import type { Part } from '../canonical/part.ts'
import type { Reply } from '../canonical/reply.ts'
import { splitReply } from '../canonical/split.ts'
import { isRecord, recordsAt, type JsonObject } from '../json.ts'
import { geminiCaller, geminiUpstream } from './codec.ts'

const SEED = 24
const caller = geminiCaller('sse')
const context = {
  model: 'gemini-x',
  fallbackId: 'f1',
  nowSeconds: 1,
  inputTokensCounted: 1,
  wantsUsage: true,
}
const requestContext = { outputTokensDefault: 4096 }

/** As it leaves: what cannot be written in JSON would not arrive. */
function wire(body: object): Record<string, unknown> {
  const value: unknown = JSON.parse(JSON.stringify(body))
  if (!isRecord(value)) throw new Error('an object stays one')
  return value
}

function read(fragments: readonly object[]): readonly ReplyEvent[] {
  const reader = geminiUpstream.openReader(geminiUpstream.readUsage)
  const data = fragments.map((each) => JSON.stringify(each))
  return [...data.flatMap((each) => reader.push({ event: undefined, data: each })), ...reader.end()]
}

function collected(events: readonly ReplyEvent[]): Reply {
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  expect(collector.error).toBeUndefined()
  return collector.reply()
}

function written(events: readonly ReplyEvent[], framing: 'sse' | 'array' = 'sse'): Record<string, unknown>[] {
  const writer = geminiCaller(framing).openWriter(context)
  const text = Buffer.concat(events.flatMap((event) => [...writer.push(event)])).toString()
  const json =
    framing === 'array'
      ? text
      : `[${text
          .split('\r\n\r\n')
          .filter(Boolean)
          .map((frame) => frame.slice('data: '.length))
          .join()}]`
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function fragment(content: Content, usageMetadata?: object, finishReason?: string): JsonObject {
  const typed: Pick<GenerateContentResponse, 'responseId' | 'modelVersion'> = {
    responseId: 'r1',
    modelVersion: 'gemini-3-pro',
  }
  return {
    candidates: [{ content: { role: 'model', ...content }, index: 0, ...(finishReason && { finishReason }) }],
    ...(usageMetadata && { usageMetadata }),
    ...typed,
  }
}

/** The vendor's ids of calls are made by us; its answers have no finish reason for calls. */
function comparable({ choices, usage }: Reply): object {
  return {
    usage: usage && { ...usage, raw: undefined },
    choices: choices.map(({ parts, end }) => ({ parts: joined(parts), reason: end.reason })),
  }
}

function joined(parts: readonly Part[]): object[] {
  return parts.map((part) => {
    if (part.type === 'tool-call')
      return { ...part, id: '', arguments: JSON.parse(part.arguments) as unknown }
    if (part.type === 'reasoning') return { type: 'reasoning', text: part.text }
    return part
  })
}

function told(reply: Reply): Reply {
  const choices = reply.choices.map(({ parts, end }) => {
    const hasCalls = parts.some((part) => part.type === 'tool-call')
    const isCut = end.reason === 'length'
    return {
      parts,
      end: isCut
        ? end
        : hasCalls
          ? { reason: 'tool-calls' as const, raw: 'STOP' }
          : { reason: 'stop' as const, raw: 'STOP' },
    }
  })
  return { ...reply, choices }
}

describe('replies', () => {
  it('are kept by writing and reading, whole', () => {
    assert(
      property(someReply, (reply) => {
        const answer = geminiUpstream.readReply(
          wire(caller.writeReply(reply, context)),
          geminiUpstream.readUsage,
        )
        expect(answer.type).toBe('reply')
        if (answer.type === 'reply') expect(comparable(answer.reply)).toEqual(comparable(told(reply)))
      }),
      { seed: SEED },
    )
  })

  it.each(['sse', 'array'] as const)('are kept by writing and reading, streamed as %s', (framing) => {
    assert(
      property(someReply, (reply) => {
        const events = read(written(splitReply(reply), framing))
        expect(violations(events)).toEqual([])
        expect(comparable(collected(events))).toEqual(comparable(told(reply)))
      }),
      { seed: SEED },
    )
  })

  it("carry another vendor's signatures to the caller and back, and to no vendor but that one", () => {
    const signature = { dialect: 'anthropic' as const, value: 'c2ln' }
    const parts: Part[] = [
      { type: 'reasoning', text: 'hm', isSummary: true, signature },
      { type: 'tool-call', id: 'c', name: 'f', arguments: '{}', kind: 'function', signature },
    ]
    const reply: Reply = { id: 'r', model: 'm', choices: [{ parts, end: { reason: 'tool-calls', raw: '' } }] }
    const [candidate = {}] = recordsAt(wire(caller.writeReply(reply, context)), 'candidates')
    const contents = [{ role: 'user', parts: [{ text: 'Go' }] }, candidate['content']]
    const { messages } = caller.readConversation({ contents }, {})
    expect(messages[1]?.parts).toEqual(parts)
    expect(JSON.stringify(geminiUpstream.writeRequest(plain({ messages }), requestContext))).not.toContain(
      'c2ln',
    )
  })

  it('are the same however a text is cut into fragments', () => {
    assert(
      property(
        array(tuple(someText, constantFrom(true, false)), { minLength: 1, maxLength: 8 }),
        (pieces) => {
          const fragments = pieces.map(([text, thought]) => ({
            candidates: [{ content: { role: 'model', parts: [{ text, ...(thought && { thought }) }] } }],
          }))
          const last = { candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] }
          const events = read([...fragments, last])
          expect(violations(events)).toEqual([])
          const whole = {
            candidates: [
              {
                content: { parts: fragments.flatMap((each) => each.candidates[0]?.content.parts ?? []) },
                finishReason: 'STOP',
              },
            ],
          }
          const answer = geminiUpstream.readReply(whole, geminiUpstream.readUsage)
          expect(answer.type === 'reply' && answer.reply.choices).toEqual(collected(events).choices)
        },
      ),
      { seed: SEED },
    )
  })
})

describe('a stream of the vendor', () => {
  // https://ai.google.dev/gemini-api/docs/thought-signatures and /docs/text-generation#streaming
  const stream = [
    fragment(
      { parts: [{ text: 'The caller wants weather.', thought: true }] },
      { promptTokenCount: 20, totalTokenCount: 30, thoughtsTokenCount: 10 },
    ),
    fragment({ parts: [{ text: 'Let me ' }] }),
    fragment({ parts: [{ text: 'look.' }] }),
    fragment({
      parts: [
        { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'weather', args: { city: 'Rome' } } },
      ],
    }),
    fragment(
      { parts: [{ text: '' }] },
      {
        promptTokenCount: 20,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 30,
        cachedContentTokenCount: 8,
        toolUsePromptTokenCount: 5,
        totalTokenCount: 70,
      },
      'STOP',
    ),
  ]

  it('becomes events in order, with parallel calls whole and signed', () => {
    const events = read(stream)
    expect(violations(events)).toEqual([])
    const reply = collected(events)
    expect(reply.choices).toEqual([
      {
        parts: [
          { type: 'reasoning', text: 'The caller wants weather.', isSummary: true },
          { type: 'text', text: 'Let me look.' },
          {
            type: 'tool-call',
            id: 'call_r1_0',
            name: 'weather',
            arguments: '{"city":"Oslo"}',
            kind: 'function',
            signature: { dialect: 'gemini', value: 'c2ln' },
          },
          {
            type: 'tool-call',
            id: 'call_r1_1',
            name: 'weather',
            arguments: '{"city":"Rome"}',
            kind: 'function',
          },
        ],
        end: { reason: 'tool-calls', raw: 'STOP' },
      },
    ])
    expect(reply.usage).toMatchObject({ cacheRead: 8, inputText: 17, outputText: 45, reasoning: 30 })
  })

  it('that breaks off has no end', () => {
    for (let length = 0; length < stream.length; length++)
      expect(read(stream.slice(0, length)).some((event) => event.type === 'reply-end')).toBe(false)
  })

  it('may fail in the middle, also wrapped in a list', () => {
    const error = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }
    for (const failure of [error, [error]]) {
      const events = read([...stream.slice(0, 2), failure, ...stream.slice(2)])
      expect(violations(events)).toEqual([])
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        error: { status: 503, code: 'unavailable', type: 'overloaded_error' },
      })
    }
  })

  it('may refuse the prompt: the caller is told, and nobody tries again', () => {
    const events = read([
      { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 7 } },
    ])
    expect(events).toMatchObject([{ type: 'error', error: { status: 400, code: 'prompt_blocked' } }])
  })
})

describe('whole answers', () => {
  it('without a candidate are an error', () => {
    expect(geminiUpstream.readReply({}, geminiUpstream.readUsage)).toMatchObject({
      type: 'error',
      error: { code: 'empty_response' },
    })
  })

  it.each([
    ['SAFETY', 'filtered'],
    ['RECITATION', 'filtered'],
    ['MAX_TOKENS', 'length'],
    ['MALFORMED_FUNCTION_CALL', 'filtered'],
    ['A_WORD_OF_TOMORROW', 'other'],
  ])('that end with %s end with %s', (finishReason, reason) => {
    const body = { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason }] }
    const answer = geminiUpstream.readReply(body, geminiUpstream.readUsage)
    expect(answer).toMatchObject({ reply: { choices: [{ end: { reason, raw: finishReason } }] } })
  })

  it('keep what only the vendor has for callers of the same dialect', () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { text: 'One.', thoughtSignature: 'c2ln' },
    ]
    const answer = geminiUpstream.readReply(
      { candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP' }] },
      geminiUpstream.readUsage,
    )
    if (answer.type !== 'reply') throw new Error('it is a reply')
    expect(recordsAt(wire(caller.writeReply(answer.reply, context)), 'candidates')).toMatchObject([
      { content: { parts } },
    ])
  })
})

describe('usage', () => {
  it('has disjoint buckets that add up to what was told', () => {
    const usage = geminiUpstream.readUsage({
      usageMetadata: {
        promptTokenCount: 1000,
        cachedContentTokenCount: 400,
        candidatesTokenCount: 300,
        thoughtsTokenCount: 50,
        toolUsePromptTokenCount: 20,
        totalTokenCount: 1370,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 500 },
          { modality: 'IMAGE', tokenCount: 258 },
          { modality: 'AUDIO', tokenCount: 242 },
        ],
        cacheTokensDetails: [{ modality: 'IMAGE', tokenCount: 258 }],
        candidatesTokensDetails: [
          { modality: 'TEXT', tokenCount: 100 },
          { modality: 'AUDIO', tokenCount: 200 },
        ],
      },
    })
    expect(usage).toMatchObject({
      cacheRead: 400,
      inputAudio: 242,
      inputImage: 0,
      inputText: 378,
      outputText: 150,
      outputAudio: 200,
      reasoning: 50,
    })
  })

  it.each([
    {},
    { usageMetadata: {} },
    { usageMetadata: { promptTokenCount: -5 } },
    { usageMetadata: { promptTokenCount: '7' } },
  ])('that tells nothing is none (%#)', (answer) => {
    expect(geminiUpstream.readUsage(answer)).toBeUndefined()
  })
})

describe('conversations', () => {
  it('are kept by writing and reading', () => {
    const turn = partsOf(textPart, callPart)
    assert(
      property(
        array(turn, { minLength: 1, maxLength: 4 }),
        partsOf(textPart, reasoningPart),
        (turns, _rest) => {
          const messages = turns.flatMap((parts): Conversation['messages'] => [
            { role: 'user', parts: [{ type: 'text', text: 'Go on' }] },
            { role: 'assistant', parts },
            { role: 'user', parts: [...results(parts), { type: 'text', text: 'And?' }] },
          ])
          const conversation = plain({ messages })
          const body = wire(geminiUpstream.writeRequest(conversation, requestContext))
          const again = caller.readConversation(body, { model: 'gemini-x', isStream: false })
          expect(flat(again)).toEqual(flat(conversation))
        },
      ),
      { seed: SEED },
    )
  })

  it('are written as the vendor documents them', () => {
    const expected = {
      contents: [
        {
          role: 'user',
          parts: [{ text: 'Weather?' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
        },
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'weather', args: { city: 'Oslo' } } }] },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'weather', response: { output: 'rain' } } },
            { text: 'And tomorrow?' },
          ],
        },
      ],
      config: {
        systemInstruction: { parts: [{ text: 'Be brief.\nBe kind.' }] },
        tools: [
          {
            functionDeclarations: [
              {
                name: 'weather',
                description: 'Of a city',
                parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
              },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
        temperature: 0,
        maxOutputTokens: 100,
        stopSequences: ['END'],
      },
    } satisfies Omit<GenerateContentParameters, 'model' | 'config'> & { config: object }
    const { systemInstruction, tools, toolConfig, ...generationConfig } = expected.config
    const body = geminiUpstream.writeRequest(
      plain({
        messages: [
          { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'Weather?' },
              { type: 'image', source: { type: 'data', mediaType: 'image/png', base64: 'AAAA' } },
            ],
          },
          { role: 'developer', parts: [{ type: 'text', text: 'Be kind.' }] },
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'unsigned' },
              {
                type: 'tool-call',
                id: 'c1',
                name: 'weather',
                arguments: '{"city":"Oslo"}',
                kind: 'function',
              },
            ],
          },
          {
            role: 'user',
            parts: [{ type: 'tool-result', callId: 'c1', parts: [{ type: 'text', text: 'rain' }] }],
          },
          { role: 'user', parts: [{ type: 'text', text: 'And tomorrow?' }] },
        ],
        tools: [
          {
            type: 'function',
            name: 'weather',
            description: 'Of a city',
            parameters: {
              type: 'object',
              properties: { city: { type: 'string' } },
              required: ['city'],
              additionalProperties: false,
            },
          },
        ],
        toolChoice: { type: 'tool', name: 'weather' },
        sampling: { temperature: 0 },
        stop: ['END'],
        outputTokensMax: 100,
      }),
      requestContext,
    )
    expect(wire(body)).toEqual({
      contents: expected.contents,
      systemInstruction,
      tools,
      toolConfig,
      generationConfig,
    })
  })

  it('read every member the vendor documents, also in the other spelling', () => {
    const body = {
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { inline_data: { mime_type: 'application/pdf', data: 'AAAA' } },
            { fileData: { mimeType: 'image/png', fileUri: 'https://example.org/a.png' } },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true, thoughtSignature: 'c2ln' },
            { functionCall: { name: 'a', args: {} } },
            { functionCall: { name: 'a', args: { x: 1 } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'a', response: { output: 'one' } } },
            { functionResponse: { name: 'a', response: { error: { code: 7 } } } },
          ],
        },
      ],
      tools: [
        {
          function_declarations: [
            { name: 'a', parameters: { type: 'OBJECT', properties: { x: { type: 'INTEGER' } } } },
          ],
        },
        { urlContext: {} },
      ],
      tool_config: { function_calling_config: { mode: 'ANY' } },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      generation_config: {
        top_p: 0.9,
        topK: 40,
        candidateCount: 2,
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { type: { type: 'STRING' } } },
        thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
        imageConfig: { aspectRatio: '16:9' },
      },
    }
    expect(caller.readConversation(body, { model: 'm', isStream: true })).toEqual({
      model: 'm',
      isStream: true,
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          parts: [
            { type: 'file', source: { type: 'data', mediaType: 'application/pdf', base64: 'AAAA' } },
            {
              type: 'image',
              source: { type: 'url', url: 'https://example.org/a.png' },
              extras: { dialect: 'gemini', value: { mimeType: 'image/png' } },
            },
          ],
        },
        {
          role: 'assistant',
          parts: [
            {
              type: 'reasoning',
              text: 'hm',
              isSummary: true,
              signature: { dialect: 'gemini', value: 'c2ln' },
            },
            { type: 'tool-call', id: 'call_0', name: 'a', arguments: '{}', kind: 'function' },
            { type: 'tool-call', id: 'call_1', name: 'a', arguments: '{"x":1}', kind: 'function' },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'tool-result', callId: 'call_0', name: 'a', parts: [{ type: 'text', text: 'one' }] },
            {
              type: 'tool-result',
              callId: 'call_1',
              name: 'a',
              parts: [{ type: 'text', text: '{"code":7}' }],
              isError: true,
            },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'a',
          parameters: { type: 'object', properties: { x: { type: 'integer' } } },
        },
        { type: 'builtin', kind: 'web-fetch', raw: { dialect: 'gemini', value: { urlContext: {} } } },
      ],
      toolChoice: { type: 'required' },
      sampling: { topP: 0.9, topK: 40 },
      stop: [],
      choices: 2,
      metadata: {},
      format: {
        type: 'schema',
        name: 'response',
        schema: { type: 'object', properties: { type: { type: 'string' } } },
      },
      reasoning: {
        budgetTokens: 1024,
        shows: 'summary',
        raw: { dialect: 'gemini', value: body.generation_config.thinkingConfig },
      },
      extras: {
        gemini: {
          safetySettings: body.safetySettings,
          generationConfig: { imageConfig: { aspectRatio: '16:9' } },
        },
      },
    })
  })

  it.each([
    [{}, /member_missing/],
    [{ contents: [] }, /member_missing/],
    [{ contents: [{ role: 'user' }] }, /member_invalid/],
    [
      { contents: [{ role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }] }] },
      /functionCall/,
    ],
    [{ contents: 'Hi', generationConfig: { candidateCount: 0 } }, /member_out_of_range/],
  ])('refuse what is none (%#)', (body, message) => {
    expect(() => caller.readConversation(body, {})).toThrow(message)
  })

  it('refuse a result without its call', () => {
    const messages: Conversation['messages'] = [
      { role: 'user', parts: [{ type: 'tool-result', callId: 'x', parts: [] }] },
    ]
    expect(() => geminiUpstream.writeRequest(plain({ messages }), requestContext)).toThrow(/'x' has no call/)
  })

  it('hold sealed thoughts of another vendor, with or without an empty text', () => {
    const sealed = { thought: true, thoughtSignature: 'sealed:anthropic:abc' }
    const contents = [{ role: 'model', parts: [sealed, { ...sealed, text: '' }] }]
    const part = { type: 'redacted-reasoning', data: { dialect: 'anthropic', value: 'abc' } }
    const { messages } = caller.readConversation({ contents }, {})
    expect(messages).toEqual([{ role: 'assistant', parts: [part, part] }])
    expect(JSON.stringify(geminiUpstream.writeRequest(plain({ messages }), requestContext))).not.toContain(
      'abc',
    )
  })

  it('join what a stream told in pieces, and keep a thought whole with its signature', () => {
    const said = [
      { text: 'Hm', thought: true },
      { text: '', thought: true, thoughtSignature: 'anthropic:1' },
      { text: 'So', thought: true },
      { text: 'a' },
      { text: ' ' },
      { text: 'b' },
    ]
    const contents = [
      { role: 'user', parts: [{ text: 'x' }, { text: 'y' }] },
      ...said.map((part) => ({ role: 'model', parts: [part] })),
    ]
    const { messages } = caller.readConversation({ contents }, {})
    expect(messages.map(({ parts }) => parts)).toMatchObject([
      [{ text: 'x' }, { text: 'y' }],
      [{ text: 'Hm', signature: { value: '1' } }, { text: 'So' }, { text: 'a b' }],
    ])
    expect(messages[1]?.parts).toHaveLength(3)
  })

  it('stand in for a lost signature where models want one', () => {
    const messages: Conversation['messages'] = [
      { role: 'user', parts: [{ type: 'text', text: 'Go' }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'c', name: 'f', arguments: '', kind: 'function' }],
      },
    ]
    const signatureFor = (model: string) =>
      JSON.stringify(geminiUpstream.writeRequest(plain({ messages, model }), requestContext)).includes(
        'skip_thought_signature_validator',
      )
    expect([signatureFor('gemini-3-pro-preview'), signatureFor('gemini-2.5-pro')]).toEqual([true, false])
  })

  it('take no signature of a thought for that of the call after it', () => {
    const signature = { dialect: 'gemini', value: 'of the thought' } as const
    const call = { type: 'tool-call', id: 'c', name: 'f', arguments: '', kind: 'function' } as const
    const parts = [{ type: 'reasoning', text: 'Hm', signature } as const, call]
    const messages: Conversation['messages'] = [
      { role: 'user', parts: [{ type: 'text', text: 'Go' }] },
      { role: 'assistant', parts },
    ]
    const body = geminiUpstream.writeRequest(
      plain({ messages, model: 'gemini-3-pro-preview' }),
      requestContext,
    )
    expect(JSON.stringify(body)).toContain('skip_thought_signature_validator')
  })

  it.each([
    ['gemini-2.5-flash', { effort: 'high' }, { includeThoughts: true, thinkingBudget: 19_660 }],
    ['gemini-2.5-flash', { mode: 'off' }, { includeThoughts: false, thinkingBudget: 0 }],
    ['gemini-2.5-pro', { effort: 'none' }, { includeThoughts: false, thinkingBudget: 128 }],
    ['gemini-2.5-pro', { budgetTokens: 99_999 }, { includeThoughts: true, thinkingBudget: 32_768 }],
    ['gemini-2.5-pro', { mode: 'on' }, { includeThoughts: true, thinkingBudget: -1 }],
    ['gemini-3-pro-preview', { effort: 'xhigh' }, { includeThoughts: true, thinkingLevel: 'high' }],
    [
      'gemini-3-pro-preview',
      { budgetTokens: 1024, shows: 'nothing' },
      { includeThoughts: false, thinkingLevel: 'low' },
    ],
  ] as const)('tell %s how much to think (%#)', (model, reasoning, thinkingConfig) => {
    const body = geminiUpstream.writeRequest(plain({ model, reasoning }), requestContext)
    expect(body['generationConfig']).toEqual({ thinkingConfig })
  })
})

describe('errors', () => {
  it('of the vendor are read in each of their shapes', () => {
    const error = {
      code: 400,
      message: 'API key not valid.',
      status: 'INVALID_ARGUMENT',
      details: [{ reason: 'API_KEY_INVALID' }],
    }
    const expected = {
      status: 401,
      code: 'invalid_api_key',
      type: 'authentication_error',
      message: 'API key not valid.',
    }
    for (const body of [{ error }, [{ error }]])
      expect(geminiUpstream.readError(400, Buffer.from(JSON.stringify(body)))).toMatchObject(expected)
    expect(geminiUpstream.readError(502, Buffer.from('<html>'))).toMatchObject({
      status: 502,
      type: 'upstream_error',
    })
  })
})

function plain(change: Partial<Conversation>): Conversation {
  const messages: Conversation['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
  return {
    model: 'gemini-2.5-flash',
    isStream: false,
    messages,
    tools: [],
    sampling: {},
    stop: [],
    choices: 1,
    metadata: {},
    extras: {},
    ...change,
  }
}

function results(parts: readonly Part[]): Part[] {
  return parts.flatMap((part): Part[] =>
    part.type === 'tool-call'
      ? [
          {
            type: 'tool-result',
            callId: part.id,
            name: part.name,
            parts: [{ type: 'text', text: `of ${part.id}` }],
          },
        ]
      : [],
  )
}

/** Turns of one role in a row are one turn. */
function flat({ messages }: Conversation): object[] {
  return messages.flatMap(({ role, parts }) => joined(parts).map((part) => ({ role, part })))
}
