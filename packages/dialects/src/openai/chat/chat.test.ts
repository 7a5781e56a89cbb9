import { describe, expect, it } from 'vitest'
import { violations } from '../../canonical/check-events.ts'
import { ReplyCollector } from '../../canonical/collect.ts'
import { anthropicUpstream } from '../../anthropic/codec.ts'
import { readOpenAiUsage } from '../../openai-usage.ts'
import { openaiCaller, openaiUpstream } from './codec.ts'

/** Chunks in the format of https://platform.openai.com/docs/api-reference/chat-streaming. */
function read(deltas: readonly Record<string, unknown>[], finish = 'tool_calls') {
  const reader = openaiUpstream.openReader(readOpenAiUsage)
  const chunks = [
    ...deltas.map((delta) => ({ id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })),
    { id: 'c1', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: finish }] },
  ]
  const frames = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
  const events = frames.flatMap((data) => reader.push({ event: undefined, data }))
  expect(violations(events)).toEqual([])
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  return { parts: collector.reply().choices[0]?.parts ?? [], end: collector.reply().choices[0]?.end, events }
}

function call(index: number, members: Record<string, unknown>) {
  const { id, name, text } = members
  return {
    tool_calls: [
      {
        index,
        ...(id !== undefined && { id, type: 'function' }),
        function: { ...(name !== undefined && { name }), arguments: text ?? '' },
      },
    ],
  }
}

function ending(finish: string | null) {
  const choices = [{ index: 0, delta: { content: 'a' }, finish_reason: finish }]
  return { event: undefined, data: JSON.stringify({ choices }) }
}

describe('a stream of chat completion chunks', () => {
  it('puts interleaved tool calls one after the other, without losing a character', () => {
    const { parts } = read([
      call(0, { id: 'a', name: 'f', text: '{"x"' }),
      call(1, { id: 'b', name: 'g', text: '{"y":' }),
      call(0, { text: ':1}' }),
      call(1, { text: '2}' }),
    ])
    expect(parts).toMatchObject([
      { id: 'a', name: 'f', arguments: '{"x":1}' },
      { id: 'b', name: 'g', arguments: '{"y":2}' },
    ])
  })

  it('streams the first call as long as it is the only one', () => {
    const { events } = read([call(0, { id: 'a', name: 'f', text: '{"x"' }), call(0, { text: ':1}' })])
    expect(events.filter((event) => event.type === 'arguments-delta')).toHaveLength(2)
  })

  it('distinguishes calls that all have the index 0 by their ids', () => {
    const { parts } = read([
      call(0, { id: 'a', name: 'f', text: '{"x":1}' }),
      call(0, { id: 'b', name: 'f', text: '{"x":2}' }),
    ])
    expect(parts).toMatchObject([{ arguments: '{"x":1}' }, { arguments: '{"x":2}' }])
  })

  it('delays text that arrives during a call until the call is complete', () => {
    const { parts } = read([
      call(0, { id: 'a', name: 'f', text: '{"x"' }),
      { content: 'late' },
      call(0, { text: ':1}' }),
    ])
    expect(parts).toMatchObject([{ arguments: '{"x":1}' }, { type: 'text', text: 'late' }])
  })

  it('ends with "tool-calls" if there were calls, even with the finish reason "stop"', () => {
    expect(read([call(0, { id: 'a', name: 'f', text: '{}' })], 'stop').end).toMatchObject({
      reason: 'tool-calls',
    })
  })

  it('generates an id for a call without one', () => {
    expect(read([call(0, { name: 'f', text: '{}' })]).parts).toMatchObject([{ id: 'call_c1_0' }])
  })

  it('is complete without its end marker if every choice has ended, and otherwise cut off', () => {
    const reader = openaiUpstream.openReader(readOpenAiUsage)
    reader.push(ending(null))
    expect(reader.end()).toEqual([])
    reader.push(ending('stop'))
    expect(reader.end().at(-1)).toEqual({ type: 'reply-end' })
  })
})

function asMessages(body: Record<string, unknown>) {
  const conversation = openaiCaller.readConversation({ model: 'claude-sonnet-4-5', ...body }, {})
  return anthropicUpstream.writeRequest(conversation, { outputTokensDefault: 8192 })
}

describe('a chat completions request converted to Messages', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } }

  it('keeps system prompts in order, wherever they were', () => {
    const messages = [
      { role: 'system', content: 'One' },
      { role: 'user', content: 'Hi' },
      { role: 'developer', content: 'Two' },
    ]
    expect(asMessages({ messages })['system']).toEqual([
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' },
    ])
  })

  it('joins tool results with their images into one turn, before the other content of that turn', () => {
    const messages = [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'g', arguments: 'not json' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'two' }, image] },
      { role: 'user', content: 'And?' },
    ]
    expect(asMessages({ messages })['messages']).toEqual([
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
          { type: 'tool_use', id: 'b', name: 'g', input: { input: 'not json' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'one' },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [
              { type: 'text', text: 'two' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            ],
          },
          { type: 'text', text: 'And?' },
        ],
      },
    ])
  })

  it('maps tool choice, single tool calls and limits', () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { properties: {} } } }]
    const body = asMessages({
      messages: [{ role: 'user', content: 'Hi' }],
      tools,
      tool_choice: 'required',
      parallel_tool_calls: false,
      stop: 'END',
      temperature: 1.7,
      user: 'u-1',
    })
    expect(body).toMatchObject({
      tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      temperature: 1,
      max_tokens: 8192,
      metadata: { user_id: 'u-1' },
    })
  })

  it('sets thinking by budget or effort according to the model, and only if signed thinking blocks came back', () => {
    const hi = { role: 'user', content: 'Hi' }
    const effort = { messages: [hi], reasoning_effort: 'high', temperature: 0.5 }
    expect(asMessages(effort)).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 4096 } })
    expect(asMessages(effort)).not.toHaveProperty('temperature')
    expect(asMessages({ ...effort, model: 'claude-opus-4-7' })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
    })
    const called = {
      role: 'assistant',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    }
    const result = { role: 'tool', tool_call_id: 'a', content: 'x' }
    expect(asMessages({ ...effort, messages: [hi, called, result] })['thinking']).toBeUndefined()
    const reasoning_details = [
      { type: 'reasoning.text', text: 'hm', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
    ]
    const signed = asMessages({ ...effort, messages: [hi, { ...called, reasoning_details }, result] })
    expect(signed).toHaveProperty('thinking')
    expect(JSON.stringify(signed['messages'])).toContain(
      '{"type":"thinking","thinking":"hm","signature":"c2ln"}',
    )
  })
})
