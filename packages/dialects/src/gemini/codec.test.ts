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
import { replyToEvents } from '../canonical/split.ts'
import { isRecord, recordsAt, type JsonObject } from '../json.ts'
import { geminiCaller, geminiUpstream } from './codec.ts'
import { joined as joinParts } from './joined.ts'

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

/** The body as it would be sent: values that JSON cannot represent are lost. */
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

/**
 * Removes what a round trip through Gemini changes: ids of tool calls are generated here, and Gemini has no
 * finish reason for tool calls.
 */
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

function reported(reply: Reply): Reply {
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

/** In a stream, finished calls come with the finish reason; texts around them meet. */
function callsLast(reply: Reply): Reply {
  const choices = reply.choices.map((choice) => {
    const calls = choice.parts.filter((part) => part.type === 'tool-call')
    const others = choice.parts.filter((part) => part.type !== 'tool-call')
    return { ...choice, parts: [...joinParts(others), ...calls] }
  })
  return { ...reply, choices }
}

describe('Gemini replies', () => {
  it('survive a round trip as a whole response', () => {
    assert(
      property(someReply, (reply) => {
        const answer = geminiUpstream.readReply(
          wire(caller.writeReply(reply, context)),
          geminiUpstream.readUsage,
        )
        expect(answer.type).toBe('reply')
        if (answer.type === 'reply') expect(comparable(answer.reply)).toEqual(comparable(reported(reply)))
      }),
      { seed: SEED },
    )
  })

  it.each(['sse', 'array'] as const)('survive a round trip as a stream framed as %s', (framing) => {
    assert(
      property(someReply, (reply) => {
        const events = read(written(replyToEvents(reply), framing))
        expect(violations(events)).toEqual([])
        expect(comparable(collected(events))).toEqual(comparable(reported(callsLast(reply))))
      }),
      { seed: SEED },
    )
  })

  it("carry another vendor's signatures to the caller and back, and never to Gemini", () => {
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

  it('are the same in a stream, however the text is cut into fragments', () => {
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

describe('a Gemini stream', () => {
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

  it('becomes events in order, with complete parallel calls and their signatures', () => {
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

  it('has no end event if it breaks off', () => {
    for (let length = 0; length < stream.length; length++)
      expect(read(stream.slice(0, length)).some((event) => event.type === 'reply-end')).toBe(false)
  })

  it('ends with the error that arrives in the middle, even if it is wrapped in a list', () => {
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

  it('reports a blocked prompt as status 400, which is not retried', () => {
    const events = read([
      { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 7 } },
    ])
    expect(events).toMatchObject([{ type: 'error', error: { status: 400, code: 'prompt_blocked' } }])
  })
})

describe('whole Gemini responses', () => {
  it('are an error if they have no candidate', () => {
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
  ])('with the finish reason %s get the end reason %s', (finishReason, reason) => {
    const body = { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason }] }
    const answer = geminiUpstream.readReply(body, geminiUpstream.readUsage)
    expect(answer).toMatchObject({ reply: { choices: [{ end: { reason, raw: finishReason } }] } })
  })

  it('keep parts that only Gemini has, for callers of the same dialect', () => {
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

describe('Gemini usage', () => {
  it('has disjoint buckets that add up to the reported totals', () => {
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
    { usageMetadata: { promptTokenCount: 'seven' } },
  ])('is undefined if nothing plausible was reported (%#)', (answer) => {
    expect(geminiUpstream.readUsage(answer)).toBeUndefined()
  })
})

describe('Gemini conversations', () => {
  it('survive being written and read', () => {
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

  it('are written in the documented format', () => {
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

  it('are read with every documented member, in camel case or snake case', () => {
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
  ])('are rejected if the request is malformed (%#)', (body, message) => {
    expect(() => caller.readConversation(body, {})).toThrow(message)
  })

  it('are rejected if a tool result has no call', () => {
    const messages: Conversation['messages'] = [
      { role: 'user', parts: [{ type: 'tool-result', callId: 'x', parts: [] }] },
    ]
    expect(() => geminiUpstream.writeRequest(plain({ messages }), requestContext)).toThrow(/'x' has no call/)
  })

  it('keep redacted reasoning of another vendor, with or without an empty text', () => {
    const sealed = { thought: true, thoughtSignature: 'sealed:anthropic:abc' }
    const contents = [{ role: 'model', parts: [sealed, { ...sealed, text: '' }] }]
    const part = { type: 'redacted-reasoning', data: { dialect: 'anthropic', value: 'abc' } }
    const { messages } = caller.readConversation({ contents }, {})
    expect(messages).toEqual([{ role: 'assistant', parts: [part, part] }])
    expect(JSON.stringify(geminiUpstream.writeRequest(plain({ messages }), requestContext))).not.toContain(
      'abc',
    )
  })

  it('merge the pieces that a stream brought, and keep a thought together with its signature', () => {
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

  it('get a placeholder for a missing signature, for models that require one', () => {
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

  it('do not use the signature of a thought for the call after it', () => {
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
  ] as const)('set how much %s should think (%#)', (model, reasoning, thinkingConfig) => {
    const body = geminiUpstream.writeRequest(plain({ model, reasoning }), requestContext)
    expect(body['generationConfig']).toEqual({ thinkingConfig })
  })
})

describe('Gemini errors', () => {
  it('are read in each of their shapes', () => {
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

/** Merges consecutive turns of one role. */
function flat({ messages }: Conversation): object[] {
  return messages.flatMap(({ role, parts }) => joined(parts).map((part) => ({ role, part })))
}
