import { describe, expect, it } from 'vitest'
import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import type { Part } from '@tollgate/dialects/canonical/part'
import type { Tool } from '@tollgate/dialects/canonical/tool'
import { writeRequest } from './write-request.ts'

const call: Part = { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}', kind: 'function' }
const result: Part = { type: 'tool-result', callId: 'c1', parts: [{ type: 'text', text: 'rain' }] }
const tool: Tool = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }

function asked(more: Partial<Conversation>): Conversation {
  return {
    model: 'm',
    isStream: false,
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'x' }] },
      { role: 'assistant', parts: [call] },
      { role: 'user', parts: [result, { type: 'text', text: 'Sum up.' }] },
    ],
    tools: [],
    sampling: {},
    stop: [],
    choices: 1,
    metadata: {},
    extras: {},
    ...more,
  }
}

describe('calls of a history', () => {
  it.each<[string, Partial<Conversation>]>([
    ['no tools', {}],
    ['tools that must not be called', { tools: [tool], toolChoice: { type: 'none' } }],
    [
      'only a tool of another vendor',
      { tools: [{ type: 'builtin', kind: 'web-search', raw: { dialect: 'openai', value: {} } }] },
    ],
  ])('become texts beside %s', (_name, more) => {
    const { toolConfig, messages } = writeRequest(asked(more))
    const texts = JSON.stringify(messages)
    expect(toolConfig).toBeUndefined()
    expect(texts).not.toMatch(/toolUse|toolResult/)
    for (const said of ['the tool f', String.raw`{\"a\":1}`, 'rain', 'Sum up.']) expect(texts).toContain(said)
  })

  it('stay calls beside tools', () => {
    expect(JSON.stringify(writeRequest(asked({ tools: [tool] })))).toMatch(/toolUse.*toolResult/)
  })
})

it('documents of one name get different names, none longer than the vendor takes', () => {
  const file: Part = {
    type: 'file',
    source: { type: 'data', mediaType: 'application/pdf', base64: 'AAAA' },
    name: `${'report '.repeat(40)}.pdf`,
  }
  const { messages } = writeRequest(asked({ messages: [{ role: 'user', parts: [file, file, file] }] }))
  const names = [...JSON.stringify(messages).matchAll(/"name":"([^"]*)"/g)].map(([, name = '']) => name)
  expect(new Set(names).size).toBe(3)
  for (const name of names) expect(name).toMatch(/^[\w ()[\]-]{1,200}$/)
})
