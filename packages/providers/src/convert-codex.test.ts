import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { describe, expect, it } from 'vitest'
import { openConversion } from './convert.ts'

/**
 * Tests requests as Codex sends them, converted for upstreams that support neither tool namespaces nor
 * free-text tools.
 */

const UPSTREAMS = ['chat', 'messages', 'generate'] as const

function converted(to: ConversationOperation, body: JsonObject, model = 'other-model') {
  return openConversion({
    asked: 'responses',
    codec: conversations[to].upstream,
    body: { model, stream: true, store: false, ...body },
    model,
    isStream: true,
    outputTokensDefault: 4096,
  }).write()
}

const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
})
const fn = (name: string) => ({
  type: 'function',
  name,
  description: `Does ${name}`,
  strict: false,
  parameters: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false },
})
const agents = {
  type: 'namespace',
  name: 'multi_agent_v1',
  description: 'Tools for sub-agents.',
  tools: [fn('spawn_agent'), fn('wait_agent')],
}
const applyPatch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch hunk+ end_patch' },
}
const toolSearch = {
  type: 'tool_search',
  execution: 'client',
  description: 'Searches over deferred tools.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}

function toolNames(to: ConversationOperation, body: JsonObject): readonly string[] {
  const text = JSON.stringify(body['tools'] ?? [])
  const pattern = to === 'generate' || to === 'messages' ? /"name":"(\w+)"/g : /"function":\{"name":"(\w+)"/g
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '')
}

describe.each(UPSTREAMS)('converted to %s', (to) => {
  it('tools in a namespace become functions with the namespace as a prefix of their names', () => {
    const { body, originalTools } = converted(to, {
      input: [message('user', 'hi')],
      tools: [fn('exec_command'), agents],
    })
    expect(toolNames(to, body)).toEqual([
      'exec_command',
      'multi_agent_v1__spawn_agent',
      'multi_agent_v1__wait_agent',
    ])
    expect(JSON.stringify(body['tools'])).toContain('multi_agent_v1: Tools for sub-agents.')
    expect(originalTools.get('multi_agent_v1__spawn_agent')).toMatchObject({
      name: 'spawn_agent',
      namespace: 'multi_agent_v1',
    })
  })

  it('tools in an `additional_tools` input item become tools of the request', () => {
    const functions = {
      type: 'namespace',
      name: 'functions',
      description: '',
      tools: [applyPatch, fn('wait')],
    }
    const item = { type: 'additional_tools', id: 'at_1', role: 'developer', tools: [functions, agents] }
    const { body } = converted(to, { input: [item, message('user', 'hi')] })
    expect(toolNames(to, body)).toEqual([
      'functions__apply_patch',
      'functions__wait',
      'multi_agent_v1__spawn_agent',
      'multi_agent_v1__wait_agent',
    ])
  })

  it('a free-text tool becomes a function with one text parameter, and earlier calls of it are converted too', () => {
    const patch = '*** Begin Patch\n*** End Patch'
    const { body, originalTools } = converted(to, {
      input: [
        message('user', 'hi'),
        { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: patch },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
      ],
      tools: [applyPatch],
    })
    const text = JSON.stringify(body)
    expect(toolNames(to, body)).toEqual(['apply_patch'])
    expect(text).toContain('lark grammar:\\nstart: begin_patch hunk+ end_patch')
    expect(text.replaceAll('\\\\n', '\\n').replaceAll('\\"', '"')).toContain(
      `{"input":${JSON.stringify(patch)}}`,
    )
    expect(originalTools.get('apply_patch')).toEqual({ name: 'apply_patch', kind: 'custom' })
  })

  it('a client-side tool search becomes a function, and the tools it found can be called', () => {
    const { body, originalTools } = converted(to, {
      input: [
        message('user', 'hi'),
        {
          type: 'tool_search_call',
          call_id: 'c1',
          execution: 'client',
          status: 'completed',
          arguments: { query: 'a' },
        },
        {
          type: 'tool_search_output',
          call_id: 'c1',
          execution: 'client',
          status: 'completed',
          tools: [agents],
        },
      ],
      tools: [toolSearch],
    })
    expect(toolNames(to, body)).toEqual([
      'tool_search',
      'multi_agent_v1__spawn_agent',
      'multi_agent_v1__wait_agent',
    ])
    expect(JSON.stringify(body)).toContain(
      'Tools that can be called now: multi_agent_v1__spawn_agent, multi_agent_v1__wait_agent',
    )
    expect(originalTools.get('tool_search')).toMatchObject({ isToolSearch: true })
  })

  it('a vendor-side tool search is dropped and reported, and all deferred tools are sent', () => {
    const asyncJob = { ...fn('later'), defer_loading: true }
    const { body, dropped } = converted(to, {
      input: [message('user', 'hi')],
      tools: [asyncJob, { type: 'tool_search' }],
    })
    expect(toolNames(to, body)).toEqual(['later'])
    expect(dropped).toContain('tool_search')
  })

  it('earlier calls of tools in a namespace get the prefixed names', () => {
    const { body } = converted(to, {
      input: [
        message('user', 'hi'),
        {
          type: 'function_call',
          call_id: 'c1',
          name: 'spawn_agent',
          namespace: 'multi_agent_v1',
          arguments: '{"x":"a"}',
        },
        { type: 'function_call_output', call_id: 'c1', output: 'ok' },
      ],
      tools: [agents],
    })
    const turns = JSON.stringify(body['messages'] ?? body['contents'])
    expect(turns).toContain('"multi_agent_v1__spawn_agent"')
    expect(turns).not.toContain('"spawn_agent"')
  })

  it.each([
    ['compaction', { type: 'compaction', encrypted_content: 'x' }],
    ['x_new_input', { type: 'x_new_input' }],
  ])('an unknown input item of type %s is refused', (type, item) => {
    expect(() => converted(to, { input: [item, message('user', 'hi')] })).toThrow(
      new RegExp(`not_expressible.*'${type}'`),
    )
  })

  it('a message from another agent becomes a user message', () => {
    const content = [
      { type: 'input_text', text: 'Sender: /root Payload:' },
      { type: 'encrypted_content', encrypted_content: 'count the files' },
    ]
    const item = { type: 'agent_message', id: 'amsg_1', author: '/root', recipient: '/root/sub', content }
    const { body } = converted(to, { input: [item] })
    const turns = JSON.stringify(body['messages'] ?? body['contents'])
    expect(turns).toMatch(/"role":"user".*Sender: \/root Payload:.*count the files/)
  })

  it('a message from another agent that OpenAI encrypted is refused', () => {
    const sealed = `gAAAAAB${'x'.repeat(60)}==`
    const content = [{ type: 'encrypted_content', encrypted_content: sealed }]
    expect(() => converted(to, { input: [{ type: 'agent_message', content }] })).toThrow(
      /not_expressible.*'encrypted_content'/,
    )
  })

  it.each(['web_search_call', 'image_generation_call', 'reasoning', 'mcp_list_tools'])(
    'an item of type %s from an earlier response may be left out',
    (type) => {
      const { body } = converted(to, {
        input: [message('user', 'hi'), { type, id: 'x', status: 'completed' }],
      })
      expect(JSON.stringify(body)).not.toContain(type)
    },
  )

  it.each<readonly [string, JsonObject, RegExp]>([
    ['a namespace without a name', { type: 'namespace', tools: [] }, /member_missing.*tools\.name/],
    ['a namespace whose tools are no list', { ...agents, tools: {} }, /member_invalid.*tools\.tools/],
    ['a namespace in a namespace', { ...agents, tools: [agents] }, /member_invalid.*tools\.tools\.type/],
    [
      'a tool of the vendor in a namespace',
      { ...agents, tools: [{ type: 'web_search' }] },
      /member_invalid.*tools\.tools\.type/,
    ],
    ['a custom tool without a name', { type: 'custom' }, /member_missing.*tools\.name/],
    [
      'a grammar nobody knows',
      { ...applyPatch, format: { type: 'grammar', syntax: 'ebnf', definition: 'a' } },
      /member_invalid.*format/,
    ],
    ['a format nobody knows', { ...applyPatch, format: { type: 'xml' } }, /member_invalid.*format/],
    ['a tool of a kind nobody knows', { type: 'teleport' }, /not_expressible/],
  ])('%s is refused', (_what, tool, refusal) => {
    expect(() => converted(to, { input: 'hi', tools: [tool] })).toThrow(refusal)
    const item = { type: 'additional_tools', tools: [tool] }
    expect(() => converted(to, { input: [item, message('user', 'hi')] })).toThrow(refusal)
  })

  it('a tool choice that names a vendor-specific tool is refused', () => {
    const tools = [fn('f'), { type: 'web_search' }]
    expect(() => converted(to, { input: 'hi', tools, tool_choice: { type: 'web_search' } })).toThrow(
      /not_expressible.*choice/,
    )
  })
})

const update = (effort: string) => ({ type: 'configuration_update', reasoning: { effort } })

it('an effort that changes in mid-conversation applies to the next response', () => {
  const { body } = converted('chat', {
    reasoning: { effort: 'low' },
    input: [update('medium'), message('user', 'hi'), update('high'), message('user', 'go on')],
  })
  expect(body).toMatchObject({ reasoning_effort: 'high', messages: [{ role: 'user' }, { role: 'user' }] })
})

describe('OpenAI models in chat completions', () => {
  it('keep free-text tools with their grammar', () => {
    const { body, originalTools } = converted('chat', { input: 'hi', tools: [applyPatch] }, 'gpt-5.2')
    const { syntax, definition } = applyPatch.format
    expect(body['tools']).toEqual([
      {
        type: 'custom',
        custom: {
          name: 'apply_patch',
          description: 'Edits files.',
          format: { type: 'grammar', grammar: { syntax, definition } },
        },
      },
    ])
    expect(originalTools.size).toBe(0)
  })
})

describe('clients of other APIs', () => {
  it('tool names that OpenAI refuses are shortened', () => {
    const name = 'mcp.server:read'
    const { body, originalTools } = openConversion({
      asked: 'generate',
      codec: conversations.chat.upstream,
      body: {
        contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        tools: [{ functionDeclarations: [{ name }] }],
      },
      model: 'm',
      isStream: false,
      outputTokensDefault: 1,
    }).write()
    const [flat = ''] = toolNames('chat', body)
    expect(flat).toMatch(/^mcp_server_read_[0-9a-f]{8}$/)
    expect(originalTools.get(flat)).toEqual({ name, kind: 'function' })
  })

  it('a tool reference that loads a tool is written as text', () => {
    const { body } = openConversion({
      asked: 'messages',
      codec: conversations.chat.upstream,
      body: {
        max_tokens: 5,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'ToolSearch', input: {} }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'c',
                content: [{ type: 'tool_reference', tool_name: 'WebFetch' }],
              },
            ],
          },
        ],
      },
      model: 'm',
      isStream: false,
      outputTokensDefault: 1,
    }).write()
    expect(body['messages']).toMatchObject([{}, {}, { role: 'tool', content: 'Tool WebFetch is loaded.' }])
  })

  it('the billing header line of Claude Code is removed from the system text for upstreams other than Anthropic', () => {
    const system = [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.330.c5f; cc_entrypoint=cli;' },
      { type: 'text', text: 'Be brief.' },
    ]
    const { body } = openConversion({
      asked: 'messages',
      codec: conversations.chat.upstream,
      body: { max_tokens: 5, system, messages: [{ role: 'user', content: 'hi' }] },
      model: 'm',
      isStream: false,
      outputTokensDefault: 1,
    }).write()
    expect(JSON.stringify(body)).not.toContain('billing-header')
    expect(JSON.stringify(body)).toContain('Be brief.')
  })
})
