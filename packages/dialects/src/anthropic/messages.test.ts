import { describe, expect, it } from 'vitest'
import { violations } from '../canonical/check-events.ts'
import { ReplyCollector } from '../canonical/collect.ts'
import { FrameReader } from '../canonical/frames.ts'
import { openaiUpstream } from '../openai/chat/codec.ts'
import { noUsage } from '../usage.ts'
import { anthropicCaller, anthropicUpstream } from './codec.ts'
import { readAnthropicUsage } from './usage.ts'

/** Modelled on the example in https://docs.anthropic.com/en/docs/build-with-claude/streaming. */
const stream = `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[],"stop_reason":null,"usage":{"input_tokens":12,"cache_read_input_tokens":3,"cache_creation_input_tokens":30,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":20},"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me see"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQB"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"EmwK"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"x\\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"1}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_2","name":"g","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":3}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9,"server_tool_use":{"web_search_requests":2}}}

event: message_stop
data: {"type":"message_stop"}

`

describe('a stream of Anthropic message events', () => {
  const reader = anthropicUpstream.openReader(readAnthropicUsage)
  const events = new FrameReader().push(Buffer.from(stream)).flatMap((frame) => reader.push(frame))
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  const reply = collector.reply()

  it('follows the event order that readers guarantee', () => {
    expect(violations(events)).toEqual([])
    expect(collector.isComplete).toBe(true)
  })

  it('keeps reasoning with its signature, and tool calls with their exact arguments', () => {
    expect(reply.choices[0]?.parts).toEqual([
      { type: 'reasoning', text: 'Let me see', signature: { dialect: 'anthropic', value: 'EqQB' } },
      { type: 'redacted-reasoning', data: { dialect: 'anthropic', value: 'EmwK' } },
      { type: 'tool-call', id: 'toolu_1', name: 'f', arguments: '{"x":1}', kind: 'function' },
      { type: 'tool-call', id: 'toolu_2', name: 'g', arguments: '{}', kind: 'function' },
    ])
    expect(reply.choices[0]?.end).toEqual({ reason: 'tool-calls', raw: 'tool_use' })
  })

  it('reports usage once, in buckets that do not overlap, with the values of the last event', () => {
    expect(reply.usage).toMatchObject({
      ...noUsage,
      inputText: 12,
      cacheRead: 3,
      cacheWrite5m: 10,
      cacheWrite1h: 20,
      outputText: 9,
      toolCalls: { web_search: 2 },
    })
  })
})

describe('readAnthropicUsage', () => {
  it('counts cache writes of unknown lifetime as 5-minute writes', () => {
    expect(readAnthropicUsage({ usage: { input_tokens: 1, cache_creation_input_tokens: 5 } })).toMatchObject({
      cacheWrite5m: 5,
      cacheWrite1h: 0,
    })
  })

  it.each([{ input_tokens: -1 }, { input_tokens: 1.5 }, { output_tokens: 'many' }, {}, { input_tokens: 0 }])(
    'ignores the implausible usage %j',
    (usage) => expect(readAnthropicUsage({ usage })).toBeUndefined(),
  )
})

function asChat(body: Record<string, unknown>) {
  const conversation = anthropicCaller.readConversation({ model: 'gpt-4o', max_tokens: 9, ...body }, {})
  return openaiUpstream.writeRequest(conversation, { outputTokensDefault: 8192 })
}

describe('a Messages request converted to chat completions', () => {
  it('keeps text beside tool calls, puts tool results first and passes on their images', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    const messages = [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'text', text: 'I look' },
          { type: 'tool_use', id: 'toolu_1', name: 'f', input: { x: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And?' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'text', text: 'one' },
              { type: 'image', source },
            ],
          },
        ],
      },
    ]
    expect(asChat({ messages, system: [{ type: 'text', text: 'Be brief' }] })['messages']).toMatchObject([
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: 'I look',
        reasoning_content: 'hm',
        tool_calls: [{ id: 'toolu_1', function: { name: 'f', arguments: '{"x":1}' } }],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'one' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: 'And?' },
        ],
      },
    ])
  })

  it('maps tool choice, stop sequences, thinking and web search', () => {
    const body = asChat({
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [
        { name: 'f', input_schema: { type: 'object' } },
        {
          type: 'web_search_20250305',
          name: 'web_search',
          user_location: { type: 'approximate', city: 'Oslo' },
        },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['A', 'B'],
      thinking: { type: 'enabled', budget_tokens: 5000 },
    })
    expect(body).toMatchObject({
      max_tokens: 9,
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      web_search_options: { user_location: { approximate: { city: 'Oslo' } } },
      tool_choice: 'required',
      parallel_tool_calls: false,
      stop: ['A', 'B'],
      reasoning_effort: 'medium',
    })
  })

  it('does not send a reasoning effort to a model that would reject the parameter', () => {
    const thinking = { type: 'enabled', budget_tokens: 5000 }
    expect(asChat({ messages: [{ role: 'user', content: 'Hi' }], thinking })).not.toHaveProperty(
      'reasoning_effort',
    )
  })

  it.each([
    { messages: 'hi' },
    { messages: [{ role: 'robot', content: 'hi' }] },
    { messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] },
    { messages: [], tool_choice: { type: 'sometimes' } },
  ])('rejects the malformed request %j', (body) => {
    expect(() => asChat(body)).toThrow(/member_(?:invalid|missing)/)
  })
})
