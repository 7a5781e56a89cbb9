import { describe, expect, it } from 'vitest'
import type { Conversation } from '../canonical/conversation.ts'
import { DroppedMembers } from '../canonical/dropped.ts'
import type { Tool } from '../canonical/tool.ts'
import { geminiUpstream } from './codec.ts'

const fn: Tool = { type: 'function', name: 'f' }
const search: Tool = { type: 'builtin', kind: 'web-search', raw: { dialect: 'responses', value: {} } }
const code: Tool = { type: 'builtin', kind: 'code-execution', raw: { dialect: 'responses', value: {} } }

function written(model: string, tools: readonly Tool[]) {
  const conversation: Conversation = {
    model,
    isStream: false,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    tools,
    sampling: {},
    stop: [],
    choices: 1,
    metadata: {},
    extras: {},
  }
  const dropped = new DroppedMembers()
  const body = geminiUpstream.writeRequest(conversation, { outputTokensDefault: 1, dropped })
  return { body, dropped: dropped.names }
}

const FUNCTIONS = { functionDeclarations: [{ name: 'f' }] }

describe('functions beside built-in tools of Google', () => {
  it('are sent together from Gemini 3 on, with the member that allows it', () => {
    const { body, dropped } = written('gemini-3-pro', [fn, search])
    expect(body).toMatchObject({
      tools: [FUNCTIONS, { googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
    })
    expect(dropped).toEqual([])
  })

  it('are sent without the search before Gemini 3, and the search is reported as dropped', () => {
    const { body, dropped } = written('gemini-2.5-pro', [fn, search])
    expect(body['tools']).toEqual([FUNCTIONS])
    expect(body['toolConfig']).toBeUndefined()
    expect(dropped).toEqual(['web_search_options'])
  })

  it('are rejected before Gemini 3 if the built-in tool is code execution', () => {
    expect(() => written('gemini-2.5-pro', [fn, code])).toThrow(/not_expressible.*beside functions/)
  })

  it.each(['gemini-2.5-pro', 'gemini-3-pro'])(
    'need no tool configuration if only one kind is used, for %s',
    (model) => {
      expect(written(model, [search]).body['toolConfig']).toBeUndefined()
      expect(written(model, [search, code]).body['tools']).toEqual([
        { googleSearch: {} },
        { codeExecution: {} },
      ])
      expect(written(model, [fn]).body['toolConfig']).toBeUndefined()
    },
  )
})
