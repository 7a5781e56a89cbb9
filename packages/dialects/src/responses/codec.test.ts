import OpenAI from 'openai'
import type {
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses'
import { assert, asyncProperty, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callPart, partsOf, someReply, textPart } from '../../test/support/arbitrary.ts'
import { violations } from '../canonical/check-events.ts'
import { ReplyCollector } from '../canonical/collect.ts'
import type { Conversation } from '../canonical/conversation.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import type { Part } from '../canonical/part.ts'
import type { Reply } from '../canonical/reply.ts'
import { replyToEvents } from '../canonical/split.ts'
import { isRecord, type JsonObject } from '../json.ts'
import { responsesCaller, responsesUpstream } from './codec.ts'

const SEED = 54
const context = { model: 'gpt-x', fallbackId: 'f1', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: true }
const requestContext = { outputTokensDefault: 4096 }
const readUsage = responsesUpstream.readUsage

/** Responses has only one choice. */
const oneChoice = someReply.map((reply) => ({ ...reply, choices: reply.choices.slice(0, 1) }))

function wire(body: object): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(body))
  if (!isRecord(value)) throw new Error('an object stays one')
  return value
}

function read(events: readonly JsonObject[]): readonly ReplyEvent[] {
  const reader = responsesUpstream.openReader(readUsage)
  const data = events.map((event) => JSON.stringify(event))
  return [...data.flatMap((each) => reader.push({ event: undefined, data: each })), ...reader.end()]
}

function bytesOf(events: readonly ReplyEvent[]): string {
  const writer = responsesCaller.openWriter(context)
  return Buffer.concat(events.flatMap((event) => [...writer.push(event)])).toString()
}

function written(events: readonly ReplyEvent[]): JsonObject[] {
  return bytesOf(events)
    .split('\n\n')
    .filter(Boolean)
    .map((frame) => {
      const [event = '', data = ''] = frame.split('\n')
      const value: unknown = JSON.parse(data.slice('data: '.length))
      if (!isRecord(value)) throw new Error('an event is an object')
      expect(event).toBe(`event: ${String(value['type'])}`)
      return value
    })
}

function collected(events: readonly ReplyEvent[]): Reply {
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  expect(collector.error).toBeUndefined()
  return collector.reply()
}

function comparable({ choices, usage }: Reply): object {
  return {
    usage: usage && { ...usage, raw: undefined, reasoning: undefined },
    choices: choices.map(({ parts, end }) => ({
      reason: end.reason,
      parts: parts.map((part) => (part.type === 'reasoning' ? { type: part.type, text: part.text } : part)),
    })),
  }
}

/**
 * A response status is less precise than a finish reason, and tool calls have no status of their own, so the
 * end reasons are mapped to what can be read back.
 */
function reported(reply: Reply): Reply {
  const choices = reply.choices.map(({ parts, end }) => {
    const reason = parts.some((part) => part.type === 'tool-call')
      ? ('tool-calls' as const)
      : ('stop' as const)
    return { parts, end: end.reason === 'length' ? end : { reason, raw: '' } }
  })
  return { ...reply, choices }
}

describe('Responses replies', () => {
  it('survive a round trip as a whole response', () => {
    assert(
      property(oneChoice, (reply) => {
        const answer = responsesUpstream.readReply(
          wire(responsesCaller.writeReply(reply, context)),
          readUsage,
        )
        if (answer.type !== 'reply') throw new Error('it is a reply')
        expect(comparable(answer.reply)).toEqual(comparable(reported(reply)))
      }),
      { seed: SEED },
    )
  })

  it('survive a round trip as a stream', () => {
    assert(
      property(oneChoice, (reply) => {
        const events = read(written(replyToEvents(reply)))
        expect(violations(events)).toEqual([])
        expect(comparable(collected(events))).toEqual(comparable(reported(reply)))
      }),
      { seed: SEED },
    )
  })

  it('keep signatures of other vendors in the encrypted content beside a text', () => {
    const parts: Part[] = [
      { type: 'reasoning', text: 'hm', signature: { dialect: 'anthropic', value: 'c2ln' } },
      { type: 'redacted-reasoning', data: { dialect: 'anthropic', value: 'eHh4' } },
      { type: 'tool-call', id: 'c1', name: 'patch', arguments: '*** Begin', kind: 'custom' },
    ]
    const reply: Reply = { id: 'r', model: 'm', choices: [{ parts, end: { reason: 'tool-calls', raw: '' } }] }
    for (const answer of [collected(read(written(replyToEvents(reply)))), wholeOf(reply)])
      expect(answer.choices[0]?.parts).toMatchObject(parts)
  })
})

function wholeOf(reply: Reply): Reply {
  const answer = responsesUpstream.readReply(wire(responsesCaller.writeReply(reply, context)), readUsage)
  if (answer.type !== 'reply') throw new Error('it is a reply')
  return answer.reply
}

describe('a stream written by the gateway', () => {
  it('is assembled by the official client to the whole response', async () => {
    await assert(
      asyncProperty(oneChoice, async (reply) => {
        const body = bytesOf(replyToEvents(reply))
        const client = new OpenAI({
          apiKey: 'sk-test',
          fetch: () =>
            Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
        })
        const response = await client.responses.stream({ model: 'gpt-x', input: 'Hi' }).finalResponse()
        const whole = wire(responsesCaller.writeReply(reply, context))
        expect(wire({ output: response.output.map(plainItem), status: response.status })).toEqual({
          output: (Array.isArray(whole['output']) ? whole['output'] : []).map(plainItem),
          status: whole['status'],
        })
      }),
      { seed: SEED, numRuns: 40 },
    )
  })

  it('numbers its events from 0, and opens and closes each item and part', () => {
    const reply: Reply = {
      id: 'resp_1',
      model: 'm',
      choices: [
        {
          parts: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'Hello' },
            { type: 'tool-call', id: 'call_a', name: 'f', arguments: '{"x":1}', kind: 'function' },
          ],
          end: { reason: 'tool-calls', raw: '' },
        },
      ],
    }
    const events = written(replyToEvents(reply))
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_event, index) => index))
    expect(events.map((event) => String(event['type']).replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ])
  })
})

/** Removes what the client adds for its own use. */
function plainItem(item: unknown): unknown {
  if (!isRecord(item)) return item
  const { parsed_arguments: _arguments, content, ...rest } = item
  const parts: unknown = Array.isArray(content) ? content.map(withoutParsed) : content
  return parts === undefined ? rest : { ...rest, content: parts }
}

function withoutParsed(part: unknown): unknown {
  if (!isRecord(part)) return part
  const { parsed: _parsed, ...rest } = part
  return rest
}

describe('a stream of OpenAI', () => {
  // https://platform.openai.com/docs/api-reference/responses-streaming
  const response = {
    id: 'resp_9',
    object: 'response' as const,
    created_at: 1_760_000_000,
    model: 'gpt-5',
    status: 'in_progress' as const,
    output: [],
  }
  const call = { type: 'function_call' as const, name: 'weather', arguments: '' }
  const stream: readonly (JsonObject & Pick<ResponseStreamEvent, 'type'>)[] = [
    { type: 'response.created', sequence_number: 0, response },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'rs_1', type: 'reasoning', summary: [] },
    },
    {
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      item_id: 'rs_1',
      summary_index: 0,
      delta: 'First.',
    },
    {
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      item_id: 'rs_1',
      summary_index: 1,
      delta: 'Then.',
    },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: {
        id: 'rs_1',
        type: 'reasoning',
        summary: [
          { type: 'summary_text', text: 'First.' },
          { type: 'summary_text', text: 'Then.' },
        ],
        encrypted_content: 'gAAAA',
      },
    },
    { type: 'response.output_item.added', output_index: 1, item: { ...call, id: 'fc_1', call_id: 'call_1' } },
    { type: 'response.output_item.added', output_index: 2, item: { ...call, id: 'fc_2', call_id: 'call_2' } },
    { type: 'response.function_call_arguments.delta', output_index: 2, item_id: 'fc_2', delta: '{"city":' },
    {
      type: 'response.function_call_arguments.delta',
      output_index: 1,
      item_id: 'fc_1',
      delta: '{"city":"Oslo"}',
    },
    { type: 'response.function_call_arguments.delta', output_index: 2, item_id: 'fc_2', delta: '"Rome"}' },
    {
      type: 'response.output_item.done',
      output_index: 2,
      item: { ...call, id: 'fc_2', call_id: 'call_2', arguments: '{"city":"Rome"}' },
    },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { ...call, id: 'fc_1', call_id: 'call_1', arguments: '{"city":"Oslo"}' },
    },
    {
      type: 'response.output_item.added',
      output_index: 3,
      item: { id: 'ws_1', type: 'web_search_call', status: 'in_progress' },
    },
    { type: 'response.web_search_call.searching', output_index: 3, item_id: 'ws_1' },
    {
      type: 'response.output_item.done',
      output_index: 3,
      item: { id: 'ws_1', type: 'web_search_call', status: 'completed' },
    },
    {
      type: 'response.completed',
      response: {
        ...response,
        status: 'completed',
        output: [{ id: 'ws_1', type: 'web_search_call', status: 'completed' }],
        usage: {
          input_tokens: 100,
          input_tokens_details: { cached_tokens: 60 },
          output_tokens: 50,
          output_tokens_details: { reasoning_tokens: 30 },
          total_tokens: 150,
        },
      },
    },
  ]

  it('becomes events in order, with interleaved calls one after the other', () => {
    const events = read(stream)
    expect(violations(events)).toEqual([])
    const reply = collected(events)
    expect(reply).toMatchObject({ id: 'resp_9', model: 'gpt-5', createdSeconds: 1_760_000_000 })
    expect(reply.choices).toEqual([
      {
        parts: [
          {
            type: 'reasoning',
            text: 'First.\n\nThen.',
            isSummary: true,
            id: { dialect: 'responses', value: 'rs_1' },
            signature: { dialect: 'responses', value: 'gAAAA' },
          },
          {
            type: 'tool-call',
            id: 'call_1',
            name: 'weather',
            arguments: '{"city":"Oslo"}',
            kind: 'function',
          },
          {
            type: 'tool-call',
            id: 'call_2',
            name: 'weather',
            arguments: '{"city":"Rome"}',
            kind: 'function',
          },
          {
            type: 'search',
            id: 'ws_1',
            queries: [],
            pages: [],
            origin: 'responses',
            raw: {
              dialect: 'responses',
              value: [{ id: 'ws_1', type: 'web_search_call', status: 'completed' }],
            },
          },
        ],
        end: { reason: 'tool-calls', raw: 'completed' },
      },
    ])
    expect(reply.usage).toMatchObject({
      inputText: 40,
      cacheRead: 60,
      outputText: 50,
      reasoning: 30,
      toolCalls: { web_search: 1 },
    })
  })

  it('has no end event if it breaks off', () => {
    for (let length = 0; length < stream.length; length++) {
      const events = read(stream.slice(0, length))
      expect(events.some((event) => event.type === 'reply-end' || event.type === 'choice-end')).toBe(false)
    }
  })

  it('may fail before and after its start', () => {
    const failed = {
      type: 'response.failed',
      response: {
        ...response,
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: 'Slow down' },
      },
    }
    expect(read([...stream.slice(0, 3), failed]).at(-1)).toMatchObject({
      type: 'error',
      error: { status: 429, code: 'rate_limit_exceeded' },
    })
    expect(read([{ type: 'error', code: 'server_error', message: 'Sorry', param: null }])).toMatchObject([
      { type: 'error', error: { message: 'Sorry', code: 'server_error' } },
    ])
  })

  it('may consist only of its final event', () => {
    const done = {
      type: 'response.completed',
      response: {
        ...response,
        status: 'completed',
        output: [
          {
            type: 'message',
            id: 'm',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
          },
        ],
      },
    }
    const events = read([done])
    expect(violations(events)).toEqual([])
    expect(collected(events).choices).toEqual([
      { parts: [{ type: 'text', text: 'Hello' }], end: { reason: 'stop', raw: 'completed' } },
    ])
  })

  it('may be cut short by a limit or a filter', () => {
    for (const [reason, expected] of [
      ['max_output_tokens', 'length'],
      ['content_filter', 'filtered'],
    ] as const) {
      const cut = {
        type: 'response.incomplete',
        response: { ...response, status: 'incomplete', incomplete_details: { reason } },
      }
      expect(read([...stream.slice(0, 5), cut]).find((event) => event.type === 'choice-end')).toMatchObject({
        end: { reason: expected, raw: reason },
      })
    }
  })
})

describe('Responses conversations', () => {
  it('survive being written and read', () => {
    assert(
      property(partsOf(textPart, callPart), (parts) => {
        const messages: Conversation['messages'] = [
          { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ type: 'text', text: 'Go on' }] },
          { role: 'assistant', parts },
          ...resultsOf(parts),
        ]
        const body = wire(responsesUpstream.writeRequest(plain({ messages }), requestContext))
        expect(responsesCaller.readConversation(body, {}).messages).toEqual(messages)
      }),
      { seed: SEED },
    )
  })

  it('are written in the documented format', () => {
    const input = [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Weather?' },
          { type: 'input_image', image_url: 'https://example.org/a.png', detail: 'low' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' },
        ],
      },
      {
        id: 'rs_1',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'gAAAA',
      },
      {
        type: 'function_call',
        call_id: 'c1',
        name: 'weather',
        arguments: '{"city":"Oslo"}',
        status: 'completed',
      },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [
          { type: 'input_text', text: 'rain' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] },
    ] satisfies ResponseInputItem[]
    const expected = {
      store: false,
      model: 'gpt-5',
      instructions: 'Be brief.',
      input,
      tools: [
        { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} }, strict: true },
        { type: 'web_search', search_context_size: 'low' },
      ],
      tool_choice: { type: 'function', name: 'weather' },
      parallel_tool_calls: false,
      temperature: 0,
      max_output_tokens: 16,
      text: {
        format: { type: 'json_schema', name: 'a', schema: { type: 'object' }, strict: true },
        verbosity: 'low',
      },
      reasoning: { effort: 'high', summary: 'auto' },
      safety_identifier: 'u1',
      include: ['web_search_call.action.sources', 'reasoning.encrypted_content'],
    } satisfies ResponseCreateParamsNonStreaming
    const body = responsesUpstream.writeRequest(
      plain({
        model: 'gpt-5',
        messages: [
          { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'Weather?' },
              { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' }, detail: 'low' },
              {
                type: 'file',
                source: { type: 'data', mediaType: 'application/pdf', base64: 'AAAA' },
                name: 'a.pdf',
              },
            ],
          },
          {
            role: 'assistant',
            parts: [
              {
                type: 'reasoning',
                text: 'hm',
                signature: { dialect: 'responses', value: 'gAAAA' },
                id: { dialect: 'responses', value: 'rs_1' },
              },
              { type: 'reasoning', text: 'of another', signature: { dialect: 'anthropic', value: 'c2ln' } },
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
            parts: [
              {
                type: 'tool-result',
                callId: 'c1',
                parts: [
                  { type: 'text', text: 'rain' },
                  { type: 'image', source: { type: 'data', mediaType: 'image/png', base64: 'AAAA' } },
                ],
              },
            ],
          },
          { role: 'developer', parts: [{ type: 'text', text: 'Be kind.' }] },
        ],
        tools: [
          { type: 'function', name: 'weather', isStrict: true },
          {
            type: 'builtin',
            kind: 'web-search',
            search: { contextSize: 'low' },
            raw: { dialect: 'anthropic', value: {} },
          },
        ],
        toolChoice: { type: 'tool', name: 'weather' },
        parallelToolCalls: false,
        sampling: { temperature: 0 },
        outputTokensMax: 5,
        format: { type: 'schema', name: 'a', schema: { type: 'object' }, isStrict: true },
        verbosity: 'low',
        reasoning: { effort: 'high' },
        metadata: { userId: 'u1' },
      }),
      requestContext,
    )
    expect(wire(body)).toEqual(expected)
  })

  it.each([
    [{}, /member_missing/],
    [{ input: 'a', previous_response_id: 'resp_1' }, /previous_response_id/],
    [{ input: 'a', conversation: 'conv_1' }, /conversation/],
    [{ input: 'a', background: true }, /background/],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, /item_reference/],
    [{ input: [{ role: 'robot', content: 'a' }] }, /member_invalid/],
    [{ input: [{ type: 'function_call_output', output: 'a' }] }, /call_id/],
    [{ input: 'a', text: { format: { type: 'xml' } } }, /text.format/],
    [{ input: 'a', max_output_tokens: -1 }, /member_out_of_range/],
    [{ input: 'a', tool_choice: 7 }, /tool_choice/],
  ])('are rejected if the request is malformed (%#)', (body, message) => {
    expect(() => responsesCaller.readConversation(body, {})).toThrow(message)
  })

  it('are rejected if a tool result has no call', () => {
    const messages: Conversation['messages'] = [
      { role: 'user', parts: [{ type: 'tool-result', callId: 'x', parts: [] }] },
    ]
    expect(() => responsesUpstream.writeRequest(plain({ messages }), requestContext)).toThrow(
      /'x' has no call/,
    )
  })
})

function plain(change: Partial<Conversation>): Conversation {
  const messages: Conversation['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]
  return {
    model: 'gpt-4.1',
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

function resultsOf(parts: readonly Part[]): Conversation['messages'] {
  const results = parts.flatMap((part): Part[] =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result', callId: part.id, parts: [{ type: 'text', text: 'done' }] }]
      : [],
  )
  return results.length === 0 ? [] : [{ role: 'user', parts: results }]
}
