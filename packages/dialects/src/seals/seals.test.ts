import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../json.ts'
import { findSealFormat, listSeals } from './seals.ts'

const thinking = (signature?: string) => ({ type: 'thinking', thinking: 'hm', signature })
const call = { type: 'tool_use', id: 't', name: 'f', input: {} }

function messages(...content: readonly object[]): JsonObject {
  return {
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', content },
      { role: 'user', content: 'y' },
    ],
  }
}

function remove(operation: string, body: JsonObject, ...removed: readonly string[]): JsonObject {
  return findSealFormat(operation)?.remove(body, (seal) => removed.includes(seal)) ?? body
}

const reasoning = (encrypted: string) => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: encrypted,
})
const functionCall = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' }
const signedPart = { functionCall: { name: 'f', args: {} }, thoughtSignature: 'sig' }
const detail = { type: 'reasoning.text', text: 'hm', signature: 'sig' }
const googleCall = { id: 'c', type: 'function', extra_content: { google: { thought_signature: 'sig' } } }

describe('the seals of a request', () => {
  it.each<[string, string, JsonObject, readonly string[]]>([
    [
      'signatures, redacted thinking and thinking without a signature',
      'messages',
      messages(thinking('sig'), { type: 'redacted_thinking', data: 'sealed' }, thinking(''), call),
      ['sig', 'sealed', 'unsigned:hm'],
    ],
    ['a signature that another vendor wrote', 'messages', messages(thinking('responses:gAAA')), ['gAAA']],
    ['encrypted reasoning', 'responses', { input: [reasoning('gAAA'), functionCall] }, ['gAAA']],
    ['encrypted reasoning before it is compacted', 'compact', { input: [reasoning('gAAA')] }, ['gAAA']],
    ['signatures of calls', 'generate', { contents: [{ role: 'model', parts: [signedPart] }] }, ['sig']],
    [
      'details of reasoning and signatures of calls',
      'chat',
      { messages: [{ role: 'assistant', reasoning_details: [detail], tool_calls: [googleCall] }] },
      ['sig'],
    ],
    [
      'no placeholder, and no compacted history',
      'responses',
      { input: [{ type: 'compaction', encrypted_content: 'all' }] },
      [],
    ],
    ['nothing of a user', 'messages', { messages: [{ role: 'user', content: [thinking('sig')] }] }, []],
    ['nothing in embeddings', 'embeddings', { input: 'x' }, []],
  ])('are %s', (_name, operation, body, seals) => {
    expect(listSeals(operation, body)).toEqual(seals)
  })
})

describe('a seal that is taken out', () => {
  it('leaves the other blocks of a turn', () => {
    const body = messages(thinking('own'), thinking('foreign'), call)
    expect(remove('messages', body, 'foreign')).toEqual(messages(thinking('own'), call))
    expect(remove('messages', body, 'other')).toBe(body)
  })

  it('takes a turn with it that has nothing else', () => {
    expect(remove('messages', messages(thinking('sig')), 'sig')).toEqual({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'user', content: 'y' },
      ],
    })
  })

  it('switches a thinking budget off where the last calls would have no thinking before them', () => {
    const edits = [{ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }]
    const budget = { thinking: { type: 'enabled', budget_tokens: 1024 }, context_management: { edits } }
    expect(remove('messages', { ...messages(thinking('sig'), call), ...budget }, 'sig')).toEqual({
      ...messages(call),
      context_management: { edits: [edits[1]] },
    })
    const calm = { ...messages(thinking('sig'), { type: 'text', text: 'a' }), ...budget }
    expect(remove('messages', calm, 'sig')).toMatchObject(budget)
    const adaptive = { ...messages(thinking('sig'), call), thinking: { type: 'adaptive' } }
    expect(remove('messages', adaptive, 'sig')).toMatchObject({ thinking: { type: 'adaptive' } })
  })

  it('takes the reasoning item with it, and the ids of the items after it', () => {
    const { id: _id, ...unnamed } = functionCall
    const body = { input: [{ role: 'user', content: 'x' }, reasoning('a'), functionCall, reasoning('b')] }
    expect(remove('responses', body, 'a')).toEqual({
      input: [{ role: 'user', content: 'x' }, unnamed, reasoning('b')],
    })
  })

  it('leaves the documented placeholder with a call of Gemini, and nothing with a thought', () => {
    const thought = { text: 'hm', thought: true, thoughtSignature: 'sig' }
    const bare = { text: '', thoughtSignature: 'sig' }
    const body = { contents: [{ role: 'model', parts: [thought, bare, signedPart] }] }
    const { thoughtSignature: _signature, ...plain } = thought
    const placeholder = { ...signedPart, thoughtSignature: 'skip_thought_signature_validator' }
    expect(remove('generate', body, 'sig')).toEqual({
      contents: [{ role: 'model', parts: [plain, placeholder] }],
    })
  })

  it('leaves the text of a chat turn', () => {
    const turn = { role: 'assistant', content: 'a', reasoning: 'hm', reasoning_details: [detail] }
    expect(remove('chat', { messages: [turn] }, 'sig')).toEqual({
      messages: [{ role: 'assistant', content: 'a', reasoning: 'hm' }],
    })
  })
})
