import { describe, expect, it } from 'vitest'
import type { Conversation } from './conversation.ts'
import { DroppedMembers } from './dropped.ts'
import { portableTools } from './portable-tools.ts'
import { flatName, GEMINI_TOOL_NAME, PLAIN_TOOL_NAME } from './tool-name.ts'

const target = { toolNames: PLAIN_TOOL_NAME, takesCustomTools: false, dropped: new DroppedMembers() }

function asking(parts: Partial<Conversation>): Conversation {
  const empty = { isStream: false, sampling: {}, stop: [], choices: 1, metadata: {}, extras: {} }
  return { model: 'm', messages: [], tools: [], ...empty, ...parts }
}

describe('flat tool names', () => {
  it('join the namespace and the name', () => {
    expect(flatName({ namespace: 'multi_agent_v1', name: 'spawn_agent' }, PLAIN_TOOL_NAME)).toBe(
      'multi_agent_v1__spawn_agent',
    )
  })

  it('are unchanged if the upstream accepts them', () => {
    expect(flatName({ name: 'mcp.files:read' }, GEMINI_TOOL_NAME)).toBe('mcp.files:read')
    expect(flatName({ name: 'a'.repeat(64) }, PLAIN_TOOL_NAME)).toBe('a'.repeat(64))
  })

  it.each([
    { name: 'mcp.files:read' },
    { name: '中文工具' },
    { name: 'x'.repeat(500) },
    { name: '' },
    { namespace: 'mcp__a_very_long_server_name_of_somebody', name: 'and_a_tool_with_a_long_name_of_its_own' },
  ])('become short, unique and stable if the upstream rejects them: %j', (tool) => {
    const name = flatName(tool, PLAIN_TOOL_NAME)
    expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
    expect(flatName(tool, PLAIN_TOOL_NAME)).toBe(name)
    expect(flatName({ ...tool, name: `${tool.name}!` }, PLAIN_TOOL_NAME)).not.toBe(name)
  })
})

describe('tools written for other vendors', () => {
  const namespace = { name: 'crm', description: 'Customers' }

  it('carry the description of their namespace once', () => {
    const { conversation, originals } = portableTools(
      asking({
        tools: [
          { type: 'function', name: 'find', description: 'Finds', namespace },
          { type: 'function', name: 'add', namespace },
        ],
      }),
      target,
    )
    expect(conversation.tools).toEqual([
      { type: 'function', name: 'crm__find', description: 'crm: Customers\n\nFinds' },
      { type: 'function', name: 'crm__add' },
    ])
    expect(originals.get('crm__find')).toEqual({ name: 'find', namespace: 'crm', kind: 'function' })
  })

  it('get different names when a namespace and a name join to the name of another tool', () => {
    const { conversation, originals } = portableTools(
      asking({
        tools: [
          { type: 'function', name: 'crm__find' },
          { type: 'function', name: 'find', namespace },
        ],
        messages: [
          {
            role: 'assistant',
            parts: [
              { type: 'tool-call', id: '1', name: 'crm__find', arguments: '{}', kind: 'function' },
              {
                type: 'tool-call',
                id: '2',
                name: 'find',
                namespace: 'crm',
                arguments: '{}',
                kind: 'function',
              },
            ],
          },
        ],
        toolChoice: { type: 'tool', name: 'find', namespace: 'crm' },
      }),
      target,
    )
    const [plain, hashed] = conversation.tools.map((tool) => (tool.type === 'builtin' ? '' : tool.name))
    expect(plain).toBe('crm__find')
    expect(hashed).toMatch(/^crm__find_[0-9a-f]{8}$/)
    expect([...originals.keys()]).toEqual([hashed])
    expect(conversation.messages[0]?.parts).toMatchObject([{ name: plain }, { name: hashed }])
    expect(conversation.toolChoice).toEqual({ type: 'tool', name: hashed })
  })

  it('get different names when two namespaces and names join to the same text', () => {
    const { originals } = portableTools(
      asking({
        tools: [
          { type: 'function', name: 'c', namespace: { name: 'a__b' } },
          { type: 'function', name: 'b__c', namespace: { name: 'a' } },
        ],
      }),
      target,
    )
    expect([...originals.values()]).toMatchObject([
      { name: 'c', namespace: 'a__b' },
      { name: 'b__c', namespace: 'a' },
    ])
  })

  it('keep free text if the model supports it', () => {
    const tools = [{ type: 'custom', name: 'patch' }] as const
    const { conversation, originals } = portableTools(asking({ tools }), {
      ...target,
      takesCustomTools: true,
    })
    expect(conversation.tools).toEqual(tools)
    expect(originals.size).toBe(0)
  })

  it('omit the vendor’s tool search, which is reported as dropped', () => {
    const dropped = new DroppedMembers()
    const raw = { dialect: 'responses', value: { type: 'tool_search' } } as const
    const { conversation } = portableTools(
      asking({ tools: [{ type: 'builtin', kind: 'tool-search', raw }] }),
      {
        ...target,
        dropped,
      },
    )
    expect(conversation.tools).toEqual([])
    expect(dropped.names).toEqual(['tool_search'])
  })

  it('rename a tool result like its call', () => {
    const { conversation } = portableTools(
      asking({
        messages: [
          {
            role: 'assistant',
            parts: [
              {
                type: 'tool-call',
                id: '1',
                name: 'find',
                namespace: 'crm',
                arguments: '{}',
                kind: 'function',
              },
            ],
          },
          { role: 'user', parts: [{ type: 'tool-result', callId: '1', name: 'find', parts: [] }] },
        ],
      }),
      target,
    )
    expect(conversation.messages[1]?.parts).toMatchObject([{ name: 'crm__find' }])
  })
})
