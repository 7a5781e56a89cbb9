import { violations } from '@tollgate/dialects/canonical/check-events'
import type { Frame } from '@tollgate/dialects/canonical/codec'
import { ReplyCollector } from '@tollgate/dialects/canonical/collect'
import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import type { Frames } from '@tollgate/dialects/canonical/frames'
import { readAnswer } from '@tollgate/dialects/openai/answer'
import { readOpenAiUsage } from '@tollgate/dialects/openai-usage'
import { describe, expect, it } from 'vitest'
import { chatglmChat } from '../chatglm/codec.ts'
import { chatglmFrames } from '../chatglm/frames.ts'
import { converseChat } from '../converse/codec.ts'
import { cozeChat } from '../coze/codec.ts'
import { cozeFrames } from '../coze/frames.ts'
import { readVectors, writeVectors } from '../ernie/embeddings.ts'
import { libraryChat } from '../library/codec.ts'
import { ollamaChat } from '../ollama/codec.ts'
import { palmChat } from '../palm/codec.ts'
import { sparkChat } from '../spark/codec.ts'
import { sparkPlace } from '../spark/place.ts'
import { ndjsonFrames } from './frames.ts'
import type { VendorCodec } from './vendor-codec.ts'

/** Cases that the fixtures do not cover: tool calls, errors, and unusual texts. */

const context = { outputTokensDefault: 4096 }

const withTools: Conversation = {
  model: 'm',
  isStream: true,
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Weather in Oslo?' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Look it up.' },
        { type: 'tool-call', id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}', kind: 'function' },
      ],
    },
    {
      role: 'user',
      parts: [
        {
          type: 'tool-result',
          callId: 'c1',
          name: 'weather',
          parts: [{ type: 'text', text: 'rain' }],
          isError: true,
        },
        { type: 'text', text: 'And here?' },
        { type: 'image', source: { type: 'data', mediaType: 'image/jpg', base64: 'AAAA' } },
      ],
    },
  ],
  tools: [
    {
      type: 'function',
      name: 'weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ],
  toolChoice: { type: 'auto' },
  sampling: { temperature: 0, topK: 4, seed: 1 },
  stop: ['END'],
  choices: 1,
  outputTokensMax: 9,
  reasoning: { effort: 'xhigh' },
  format: { type: 'schema', name: 's', schema: { type: 'object' } },
  metadata: {},
  extras: { openai: { keep_alive: '5m' } },
}

function replyIn(codec: VendorCodec, frames: readonly Frame[]): ReplyCollector {
  const reader = codec.openReader(codec.readUsage)
  const events = [...frames.flatMap((frame) => [...reader.push(frame)]), ...reader.end()]
  expect(violations(events).filter((each) => !each.startsWith('no end'))).toEqual([])
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  return collector
}

/** Pushes the text byte by byte. */
function framesIn(open: () => Frames, text: string): Frame[] {
  const frames = open()
  const pieces = [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
  return [...pieces.flatMap((piece) => [...frames.push(piece)]), ...frames.end()]
}

function lines(...objects: readonly object[]): Frame[] {
  return framesIn(ndjsonFrames, objects.map((object) => `${JSON.stringify(object)}\n`).join(''))
}

function weatherIn(city: string): object {
  return { function: { name: 'weather', arguments: { city } } }
}

function sparkFrame(choices: object, header = {}): object {
  return {
    header: { code: 0, message: 'Success', sid: 'cht1', status: 2, ...header },
    payload: { choices },
  }
}

function named(event: string, data: object): string {
  return `event:${event}\ndata:${JSON.stringify(data)}\n\n`
}

function frameOf(event: string, body: object): Frame {
  return { event, data: JSON.stringify(body) }
}

describe('ollama', () => {
  // https://github.com/ollama/ollama/blob/main/docs/api.md#chat-request-with-tools
  it('writes tool call arguments as objects, results with the tool name, images as bare base64', () => {
    expect(ollamaChat.writeRequest(withTools, context)).toEqual({
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather in Oslo?' },
        {
          role: 'assistant',
          content: '',
          thinking: 'Look it up.',
          tool_calls: [{ id: 'c1', function: { name: 'weather', arguments: { city: 'Oslo' } } }],
        },
        { role: 'tool', content: 'rain', tool_call_id: 'c1', tool_name: 'weather' },
        { role: 'user', content: 'And here?', images: ['AAAA'] },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather',
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
          },
        },
      ],
      options: { temperature: 0, top_k: 4, seed: 1, num_predict: 9, stop: ['END'] },
      format: { type: 'object' },
      think: 'high',
      keep_alive: '5m',
    })
  })

  it('reads several tool calls that have no ids', () => {
    const head = { model: 'm', created_at: '2025-10-09T08:53:20.1Z' }
    const reply = replyIn(
      ollamaChat,
      lines(
        {
          ...head,
          message: { role: 'assistant', content: '', tool_calls: [weatherIn('Oslo')] },
          done: false,
        },
        {
          ...head,
          message: { role: 'assistant', content: '', tool_calls: [weatherIn('Rome')] },
          done: false,
        },
        { ...head, message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 3 },
      ),
    ).reply()
    const [first, second] = reply.choices[0]?.parts ?? []
    expect([first, second]).toMatchObject([
      { type: 'tool-call', name: 'weather', arguments: '{"city":"Oslo"}' },
      { type: 'tool-call', name: 'weather', arguments: '{"city":"Rome"}' },
    ])
    expect(first).not.toMatchObject({ id: second && 'id' in second ? second.id : '' })
    expect(reply.choices[0]?.end.reason).toBe('tool-calls')
    expect(reply.createdSeconds).toBe(1_760_000_000)
  })

  it('reads an error in mid-stream', () => {
    const received = replyIn(
      ollamaChat,
      lines({ message: { content: 'a' }, done: false }, { error: 'out of memory' }),
    )
    expect(received.error?.message).toBe('out of memory')
  })
})

describe('spark', () => {
  // https://www.xfyun.cn/doc/spark/Web.html
  it('writes tool calls and their results as text, because the format has no members for them', () => {
    const { payload } = sparkChat.writeRequest(withTools, context)
    expect(payload).toEqual({
      message: {
        text: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Weather in Oslo?' },
          {
            role: 'assistant',
            content: JSON.stringify({ name: 'weather', arguments: '{"city":"Oslo"}' }),
          },
          { role: 'user', content: 'rain\nAnd here?' },
        ],
      },
      functions: {
        text: [
          {
            name: 'weather',
            description: '',
            parameters: { type: 'object', properties: { city: { type: 'string' } } },
          },
        ],
      },
    })
  })

  it('reads a tool call', () => {
    const called = { content: '', function_call: { name: 'weather', arguments: '{"city":"Oslo"}' } }
    const { choices } = replyIn(sparkChat, lines(sparkFrame({ status: 2, seq: 0, text: [called] }))).reply()
    expect(choices).toMatchObject([
      {
        parts: [{ type: 'tool-call', id: 'call_cht1', name: 'weather', arguments: '{"city":"Oslo"}' }],
        end: { reason: 'tool-calls' },
      },
    ])
  })

  it.each([
    [10_005, 401],
    [10_007, 429],
    [10_013, 400],
    [10_110, 503],
    [99_999, 502],
  ])('maps error code %i to status %i', (code, status) => {
    const received = replyIn(sparkChat, lines(sparkFrame({}, { code, message: 'No' })))
    expect(received.error).toMatchObject({ status, message: 'No', code: String(code) })
  })

  it.each([
    ['SparkDesk', '', '/v1.1/chat', 'lite'],
    ['SparkDesk', 'v2.1', '/v2.1/chat', 'generalv2'],
    ['SparkDesk-v4.0', 'v2.1', '/v4.0/chat', '4.0Ultra'],
    ['SparkDesk-v9.9', '', '/v9.9/chat', 'generalv9.9'],
    ['generalv3', '', '/v3.1/chat', 'generalv3'],
    ['max-32k', '', '/chat/max-32k', 'max-32k'],
  ])('calls model %s (channel version: %j) at %s', (model, other, path, domain) => {
    expect(sparkPlace(model, other)).toEqual({ path, domain })
  })
})

describe('chatglm', () => {
  // https://open.bigmodel.cn/dev/api#sdk_sse_example
  it('keeps spaces and line breaks, and ends without usage', () => {
    const text = 'event:add\nid:1\ndata: two\ndata:  lines\ndata:\n\nevent:finish\r\nid:1\r\ndata:!\r\n\r\n'
    const received = replyIn(chatglmChat, framesIn(chatglmFrames, text))
    expect([received.isComplete, received.reply().choices[0]?.parts]).toEqual([
      true,
      [{ type: 'text', text: ' two\n  lines\n!' }],
    ])
  })

  it('is incomplete before its last event', () => {
    expect(replyIn(chatglmChat, framesIn(chatglmFrames, 'event:add\ndata:Hel\n\n')).isComplete).toBe(false)
  })

  it.each([
    ['event:error\ndata:busy\n\n', 502, 'busy'],
    ['event:error\ndata:{"code":1302,"msg":"slow down","success":false}\n\n', 429, 'slow down'],
  ])('reads the error %j', (text, status, message) => {
    expect(replyIn(chatglmChat, framesIn(chatglmFrames, text)).error).toMatchObject({ status, message })
  })
})

describe('coze', () => {
  // https://www.coze.cn/open/docs/developer_guides/chat_v3
  it.each([
    [named('error', { code: 4013, msg: 'too many' }), 429, 'too many'],
    [named('conversation.chat.failed', { id: 'c', last_error: { code: 5000, msg: 'lost' } }), 502, 'lost'],
    [named('conversation.chat.requires_action', { id: 'c' }), 502, 'The bot waits for a tool'],
  ])('reads the error: %s', (text, status, message) => {
    const { error } = replyIn(cozeChat, framesIn(cozeFrames, text))
    expect(error).toMatchObject({ status, message: expect.stringContaining(message) })
  })

  it('reads the reasoning of a bot', () => {
    const delta = (said: object) => named('conversation.message.delta', { type: 'answer', ...said })
    const text = delta({ reasoning_content: 'hm' }) + delta({ content: 'yes' })
    const end = named('conversation.chat.completed', { status: 'completed' })
    const { choices } = replyIn(cozeChat, framesIn(cozeFrames, text + end)).reply()
    expect(choices[0]?.parts).toMatchObject([{ type: 'reasoning', text: 'hm' }, { text: 'yes' }])
  })
})

describe('bedrock converse', () => {
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
  it('writes alternating messages, with tool results inside user messages', () => {
    expect(converseChat.writeRequest(withTools, context)).toEqual({
      system: [{ text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ text: 'Weather in Oslo?' }] },
        {
          role: 'assistant',
          content: [{ toolUse: { toolUseId: 'c1', name: 'weather', input: { city: 'Oslo' } } }],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'c1', content: [{ text: 'rain' }], status: 'error' } },
            { text: 'And here?' },
            { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
          ],
        },
      ],
      inferenceConfig: { maxTokens: 9, temperature: 0, stopSequences: ['END'] },
      toolConfig: {
        tools: [
          {
            toolSpec: {
              name: 'weather',
              inputSchema: { json: { type: 'object', properties: { city: { type: 'string' } } } },
            },
          },
        ],
        toolChoice: { auto: {} },
      },
      additionalModelRequestFields: { top_k: 4 },
    })
  })

  it('reads a tool call whose arguments come in pieces', () => {
    const delta = (input: string) =>
      frameOf('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input } } })
    const received = replyIn(converseChat, [
      frameOf('messageStart', { role: 'assistant' }),
      frameOf('contentBlockStart', {
        contentBlockIndex: 1,
        start: { toolUse: { toolUseId: 'c1', name: 'weather' } },
      }),
      delta('{"city":'),
      delta('"Oslo"}'),
      frameOf('contentBlockStop', { contentBlockIndex: 1 }),
      frameOf('messageStop', { stopReason: 'tool_use' }),
    ])
    expect(received.isComplete).toBe(true)
    expect(received.reply().choices).toMatchObject([
      {
        parts: [{ type: 'tool-call', id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' }],
        end: { reason: 'tool-calls' },
      },
    ])
  })

  it('drops arguments of a tool call that was never opened', () => {
    const received = replyIn(converseChat, [
      frameOf('contentBlockDelta', { contentBlockIndex: 3, delta: { toolUse: { input: '{}' } } }),
      frameOf('messageStop', { stopReason: 'end_turn' }),
    ])
    expect(received.reply().choices[0]?.parts).toEqual([])
  })
})

describe('palm and library', () => {
  it('report why there is no answer', () => {
    const filtered = { filters: [{ reason: 'SAFETY' }] }
    expect(palmChat.readReply(filtered, palmChat.readUsage)).toMatchObject({
      type: 'error',
      error: { status: 400, message: expect.stringContaining('SAFETY') },
    })
    expect(palmChat.readReply({}, palmChat.readUsage)).toMatchObject({ error: { code: 'empty_response' } })
    const refused = { success: false, errCode: 7, message: 'No' }
    expect(libraryChat.readReply(refused, libraryChat.readUsage)).toMatchObject({
      error: { message: 'No', code: '7' },
    })
  })
})

describe('baidu embeddings', () => {
  // https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh
  it.each([
    [110, 401],
    [18, 429],
  ])('map error %i inside HTTP 200 to status %i', (code, status) => {
    const bytes = Buffer.from(JSON.stringify({ error_code: code, error_msg: 'No' }))
    const input = { operation: 'embeddings' as const, bytes, readUsage: readOpenAiUsage }
    const { reading } = readAnswer({ ...input, adjustAnswer: readVectors })
    expect(reading.error).toMatchObject({ status, message: 'No' })
  })

  it('accept texts only', () => {
    expect(() => writeVectors({ input: [1, 2] })).toThrow(/not_expressible/)
  })
})
