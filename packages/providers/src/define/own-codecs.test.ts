import { violations } from '@tollgate/dialects/canonical/check-events'
import { ReplyCollector } from '@tollgate/dialects/canonical/collect'
import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import type { ReplyEvent } from '@tollgate/dialects/canonical/event'
import { FrameReader } from '@tollgate/dialects/canonical/frames'
import { parseObject } from '@tollgate/dialects/json'
import { describe, expect, it } from 'vitest'
import { cohereChat } from '../cohere/codec.ts'
import { difyChat } from '../dify/codec.ts'
import { ernieChat } from '../ernie/codec.ts'
import { hunyuanChat } from '../hunyuan/codec.ts'
import type { VendorCodec } from './vendor-codec.ts'

const context = { outputTokensDefault: 4096 }

const conversation: Conversation = {
  model: 'm',
  isStream: true,
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Weather in Oslo?' }] },
    { role: 'developer', parts: [{ type: 'text', text: 'Be kind.' }] },
  ],
  tools: [],
  sampling: { temperature: 0, topP: 0.5 },
  stop: ['END'],
  choices: 1,
  outputTokensMax: 1,
  metadata: { userId: 'u1' },
  extras: {},
}

const withTools: Conversation = {
  ...conversation,
  messages: [
    ...conversation.messages,
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', id: 'c1', name: 'weather', arguments: '{"City_Name":"Oslo"}', kind: 'function' },
      ],
    },
    {
      role: 'user',
      parts: [
        { type: 'tool-result', callId: 'c1', parts: [{ type: 'text', text: 'rain' }] },
        { type: 'text', text: 'And here?' },
        { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
      ],
    },
  ],
  tools: [
    {
      type: 'function',
      name: 'weather',
      parameters: { type: 'object', properties: { City_Name: { type: 'string' } } },
    },
  ],
}

/**
 * Reads a stream whole and cut in two at every seventh byte, and expects the same events wherever it is cut.
 */
function read(
  codec: VendorCodec,
  stream: string,
): { readonly events: readonly ReplyEvent[]; readonly collector: ReplyCollector } {
  const bytes = Buffer.from(stream)
  const whole = eventsOf(codec, [bytes])
  for (let cut = 1; cut < bytes.length; cut += 7)
    expect(eventsOf(codec, [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
  expect(violations(whole)).toEqual([])
  const collector = new ReplyCollector()
  for (const event of whole) collector.push(event)
  return { events: whole, collector }
}

function eventsOf(codec: VendorCodec, chunks: readonly Buffer[]): readonly ReplyEvent[] {
  const frames = new FrameReader()
  const reader = codec.openReader(codec.readUsage)
  const all = [...chunks.flatMap((chunk) => [...frames.push(chunk)]), ...frames.end()]
  return [...all.flatMap((frame) => [...reader.push(frame)]), ...reader.end()]
}

function isEnded(events: readonly ReplyEvent[]): boolean {
  return events.some((event) => event.type === 'reply-end')
}

/** Expects that a stream which is broken off before its last frame has no end event. */
function expectNoEnd(codec: VendorCodec, stream: string): void {
  const frames = stream.split('\n\n').filter(Boolean)
  for (let length = 0; length < frames.length; length++) {
    const cut = frames.slice(0, length).map((frame) => `${frame}\n\n`)
    expect(isEnded(eventsOf(codec, [Buffer.from(cut.join(''))]))).toBe(false)
  }
}

function sse(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

function replyOf(codec: VendorCodec, body: object) {
  const answer = codec.readReply(parseObject(JSON.stringify(body)) ?? {}, codec.readUsage)
  return answer.type === 'reply' ? answer.reply : expect.fail(answer.error.message)
}

function delta(type: string, message: object, index = 0): object {
  return { type, index, delta: { message } }
}

describe('cohere', () => {
  // https://docs.cohere.com/v2/docs/streaming and /v2/docs/tool-use-overview
  const stream = sse(
    {
      type: 'message-start',
      id: 'm1',
      delta: { message: { role: 'assistant', content: [], tool_calls: [] } },
    },
    delta('tool-plan-delta', { tool_plan: 'I will look ' }),
    delta('tool-plan-delta', { tool_plan: 'it up.' }),
    delta('content-start', { content: { type: 'text', text: '' } }),
    delta('content-delta', { content: { text: 'Hel' } }),
    delta('content-delta', { content: { text: 'lo' } }),
    delta('content-end', {}),
    delta('citation-start', {
      citations: {
        start: 0,
        end: 5,
        text: 'Hello',
        sources: [{ type: 'document', document: { title: 'A', url: 'https://example.org' } }],
      },
    }),
    delta('tool-call-start', {
      tool_calls: { id: 'f_1', type: 'function', function: { name: 'f', arguments: '' } },
    }),
    delta('tool-call-delta', { tool_calls: { function: { arguments: '{"x":' } } }),
    delta('tool-call-delta', { tool_calls: { function: { arguments: '1}' } } }),
    delta('tool-call-end', {}),
    {
      type: 'message-end',
      delta: {
        finish_reason: 'TOOL_CALL',
        usage: {
          billed_units: { input_tokens: 3, output_tokens: 9 },
          tokens: { input_tokens: 30, output_tokens: 9 },
          cached_tokens: 10,
        },
      },
    },
  )

  it('reads a stream the same wherever it is cut, with tool calls and citations', () => {
    const { collector } = read(cohereChat, stream)
    expect(collector.reply()).toMatchObject({
      id: 'm1',
      choices: [
        {
          parts: [
            { type: 'reasoning', text: 'I will look it up.' },
            {
              type: 'text',
              text: 'Hello',
              citations: [{ url: 'https://example.org', title: 'A', start: 0, end: 5 }],
            },
            { type: 'tool-call', id: 'f_1', name: 'f', arguments: '{"x":1}' },
          ],
          end: { reason: 'tool-calls', raw: 'TOOL_CALL' },
        },
      ],
      usage: { inputText: 20, cacheRead: 10, outputText: 9 },
    })
    expectNoEnd(cohereChat, stream)
  })

  it('reads a whole response, and an error response', () => {
    const message = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hello' },
      ],
    }
    const usage = { tokens: { input_tokens: 3, output_tokens: 2 } }
    expect(replyOf(cohereChat, { id: 'm1', message, finish_reason: 'MAX_TOKENS', usage })).toMatchObject({
      choices: [
        {
          parts: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'Hello' },
          ],
          end: { reason: 'length' },
        },
      ],
      usage: { inputText: 3, outputText: 2 },
    })
    expect(cohereChat.readReply({ message: 'no such model' }, cohereChat.readUsage)).toMatchObject({
      type: 'error',
      error: { message: 'no such model' },
    })
    const failed = sse({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'Sorry' } })
    expect(read(cohereChat, failed).collector.error?.message).toBe('Sorry')
  })

  it('writes tools, results and images in the format of the vendor', () => {
    expect(cohereChat.writeRequest({ ...withTools, toolChoice: { type: 'required' } }, context)).toEqual({
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather in Oslo?' },
        { role: 'system', content: 'Be kind.' },
        {
          role: 'assistant',
          content: 'Let me look.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"City_Name":"Oslo"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'rain' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And here?' },
            { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            parameters: { type: 'object', properties: { City_Name: { type: 'string' } } },
          },
        },
      ],
      tool_choice: 'REQUIRED',
      max_tokens: 1,
      stop_sequences: ['END'],
      temperature: 0,
      p: 0.5,
    })
  })
})

describe('ernie', () => {
  // https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
  const first = {
    id: 'as-1',
    object: 'chat.completion',
    created: 7,
    sentence_id: 0,
    is_end: false,
    is_truncated: false,
    result: 'Hel',
    need_clear_history: false,
    usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 },
  }
  const last = {
    ...first,
    sentence_id: 1,
    is_end: true,
    result: 'lo',
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  }

  it('reads a stream of plain texts the same wherever it is cut', () => {
    const stream = sse(first, last)
    expect(read(ernieChat, stream).collector.reply()).toMatchObject({
      id: 'as-1',
      createdSeconds: 7,
      choices: [{ parts: [{ type: 'text', text: 'Hello' }], end: { reason: 'stop' } }],
      usage: { inputText: 3, outputText: 2 },
    })
    expectNoEnd(ernieChat, stream)
  })

  it('reads a whole response', () => {
    expect(
      replyOf(ernieChat, { id: 'as-1', result: 'Hello', is_truncated: true, usage: last.usage }),
    ).toMatchObject({
      choices: [{ parts: [{ type: 'text', text: 'Hello' }], end: { reason: 'length' } }],
    })
  })

  it.each([
    [110, 401],
    [18, 429],
    [336_003, 400],
    [336_100, 502],
    [2, 502],
  ])('maps error %i inside HTTP 200 to status %i, in whole responses and streams', (code, status) => {
    const body = { error_code: code, error_msg: 'No' }
    expect(ernieChat.readReply(body, ernieChat.readUsage)).toMatchObject({
      type: 'error',
      error: { status, message: 'No', code: String(code) },
    })
    expect(read(ernieChat, sse(first, body)).collector.error).toMatchObject({ status })
  })

  it('writes strictly alternating messages that begin with the user', () => {
    const messages: Conversation['messages'] = [
      { role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] },
      ...conversation.messages,
      { role: 'user', parts: [{ type: 'text', text: 'Well?' }] },
    ]
    expect(ernieChat.writeRequest({ ...conversation, messages }, context)).toEqual({
      messages: [
        { role: 'user', content: '...' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'Weather in Oslo?\nWell?' },
      ],
      system: 'Be brief.\nBe kind.',
      stream: true,
      disable_search: false,
      enable_citation: false,
      temperature: 0,
      top_p: 0.5,
      stop: ['END'],
      max_output_tokens: 2,
      user_id: 'u1',
    })
  })
})

describe('hunyuan', () => {
  // https://cloud.tencent.com/document/api/1729/105701
  const usage = { PromptTokens: 3, CompletionTokens: 2, TotalTokens: 5 }
  const chunk = (Delta: object, FinishReason = '') => ({
    Id: 'h1',
    Created: 7,
    Choices: [{ Index: 0, Delta, FinishReason }],
    Usage: usage,
  })
  const call = {
    Id: 'c1',
    Type: 'function',
    Index: 0,
    Function: { Name: 'weather', Arguments: '{"City_Name":"Oslo"}' },
  }

  it('reads a stream the same wherever it is cut, though the format has no end marker', () => {
    const stream = sse(
      chunk({ Role: 'assistant', Content: 'Hel' }),
      chunk({ Role: 'assistant', Content: 'lo' }),
      chunk({ Role: 'assistant', ToolCalls: [call] }, 'tool_calls'),
    )
    expect(read(hunyuanChat, stream).collector.reply()).toMatchObject({
      id: 'h1',
      choices: [
        {
          parts: [
            { type: 'text', text: 'Hello' },
            { type: 'tool-call', id: 'c1', name: 'weather', arguments: '{"City_Name":"Oslo"}' },
          ],
          end: { reason: 'tool-calls' },
        },
      ],
      usage: { inputText: 3, outputText: 2 },
    })
    expectNoEnd(hunyuanChat, stream)
  })

  it('reads a response in its envelope, and an error whose code is a word', () => {
    const Response = {
      RequestId: 'r',
      Id: 'h1',
      Created: 7,
      Choices: [{ Message: { Role: 'assistant', Content: 'Hello' }, FinishReason: 'stop' }],
      Usage: usage,
    }
    expect(replyOf(hunyuanChat, { Response })).toMatchObject({
      choices: [{ parts: [{ type: 'text', text: 'Hello' }], end: { reason: 'stop' } }],
    })
    const failed = {
      Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'No' }, RequestId: 'r' },
    }
    expect(hunyuanChat.readReply(failed, hunyuanChat.readUsage)).toMatchObject({
      type: 'error',
      error: { status: 401, code: 'AuthFailure.SignatureFailure' },
    })
    expect(hunyuanChat.readError(400, Buffer.from(JSON.stringify(failed)))).toMatchObject({
      status: 400,
      message: 'No',
    })
  })

  it('writes capitalised member names and passes schemas on as unchanged text', () => {
    const body = hunyuanChat.writeRequest(withTools, context)
    expect(body).toMatchObject({ Model: 'm', Stream: true, Temperature: 0, TopP: 0.5, Stop: ['END'] })
    expect(body['Tools']).toEqual([
      {
        Type: 'function',
        Function: {
          Name: 'weather',
          Parameters: '{"type":"object","properties":{"City_Name":{"type":"string"}}}',
        },
      },
    ])
    const messages: unknown = body['Messages']
    expect(messages).toMatchObject([
      { Role: 'system', Content: 'Be brief.' },
      { Role: 'user', Content: 'Weather in Oslo?' },
      {},
      {
        Role: 'assistant',
        Content: 'Let me look.',
        ToolCalls: [
          { Id: 'c1', Type: 'function', Function: { Name: 'weather', Arguments: '{"City_Name":"Oslo"}' } },
        ],
      },
      { Role: 'tool', ToolCallId: 'c1', Content: 'rain' },
      {
        Role: 'user',
        Contents: [
          { Type: 'text', Text: 'And here?' },
          { Type: 'image_url', ImageUrl: { Url: 'https://example.org/a.png' } },
        ],
      },
    ])
  })
})

describe('dify', () => {
  // https://docs.dify.ai/api-reference/chat/send-chat-message
  const stream = sse(
    { event: 'workflow_started', workflow_run_id: 'w', data: { workflow_id: 'f1' } },
    { event: 'node_started', data: { node_id: 'n1', node_type: 'llm', status: 'running' } },
    { event: 'message', message_id: 'm1', conversation_id: 'c1', answer: 'Hel', created_at: 7 },
    { event: 'agent_message', message_id: 'm1', conversation_id: 'c1', answer: 'lo', created_at: 7 },
    {
      event: 'message_end',
      message_id: 'm1',
      conversation_id: 'c1',
      metadata: { usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    },
  )

  it('reads a stream the same wherever it is cut, and only its answer events', () => {
    expect(read(difyChat, stream).collector.reply()).toMatchObject({
      id: 'c1',
      createdSeconds: 7,
      choices: [{ parts: [{ type: 'text', text: 'Hello' }], end: { reason: 'stop' } }],
      usage: { inputText: 3, outputText: 2 },
    })
    expectNoEnd(difyChat, stream)
  })

  it('reads a whole response and an error', () => {
    expect(replyOf(difyChat, { conversation_id: 'c1', answer: 'Hello', metadata: {} })).toMatchObject({
      choices: [{ parts: [{ text: 'Hello' }] }],
    })
    const failed = { event: 'error', status: 400, code: 'invalid_param', message: 'No' }
    expect(read(difyChat, sse(failed)).collector.error).toMatchObject({
      status: 400,
      code: 'invalid_param',
      message: 'No',
    })
    expect(difyChat.readReply({}, difyChat.readUsage)).toMatchObject({ type: 'error' })
  })

  it('writes one text, and images by address only', () => {
    const image = {
      type: 'image' as const,
      source: { type: 'url' as const, url: 'https://example.org/a.png' },
    }
    const messages: Conversation['messages'] = [...conversation.messages, { role: 'user', parts: [image] }]
    expect(difyChat.writeRequest({ ...conversation, messages }, context)).toEqual({
      inputs: {},
      query: 'SYSTEM: \nBe brief.\nUSER: \nWeather in Oslo?\nSYSTEM: \nBe kind.\nUSER: \n\n',
      response_mode: 'streaming',
      user: 'u1',
      auto_generate_name: false,
      files: [{ type: 'image', transfer_method: 'remote_url', url: 'https://example.org/a.png' }],
    })
    const data = {
      type: 'image' as const,
      source: { type: 'data' as const, mediaType: 'image/png', base64: 'AAAA' },
    }
    const carried: Conversation['messages'] = [{ role: 'user', parts: [data] }]
    expect(() => difyChat.writeRequest({ ...conversation, messages: carried }, context)).toThrow(
      /media_unsupported/,
    )
  })
})
