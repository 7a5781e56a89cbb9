import type { LessonName } from '@tollgate/dialects/traits/lessons'
import { describe, expect, it } from 'vitest'
import { wouldChange } from './lesson-effect.ts'

const user = { role: 'user', content: 'hi' }

describe('wouldChange', () => {
  it.each<[LessonName, object, boolean]>([
    ['refuses:temperature', { temperature: 0.5 }, true],
    ['refuses:temperature', { temperature: 9 }, false],
    ['refuses:temperature', { temperature: '0.5' }, false],
    ['refuses:temperature', {}, false],
    ['refuses:logprobs', { logprobs: true }, true],
    ['refuses:logit_bias', { logit_bias: { 50256: -100 } }, true],
    ['output_limit:max_completion_tokens', { max_tokens: 5 }, true],
    ['output_limit:max_completion_tokens', { max_completion_tokens: 5 }, false],
    ['output_limit:max_tokens', { max_completion_tokens: 5 }, true],
    ['system_role:system', { messages: [{ ...user, role: 'developer' }] }, true],
    ['system_role:system', { messages: [user] }, false],
    ['joined_texts:true', { messages: [{ ...user, content: [{ type: 'text', text: 'hi' }] }] }, true],
    ['joined_texts:true', { messages: [user] }, false],
    ['system_messages:reminders', { messages: [user, { ...user, role: 'system' }] }, true],
    ['system_messages:reminders', { messages: [{ ...user, role: 'system' }, user] }, false],
  ])('%s would change %j: %s', (name, body, isChanged) => {
    expect(wouldChange({ ...body }, name)).toBe(isChanged)
  })

  it.each([
    [{ input: 'hi' }, true],
    [{ input: [{ role: 'user', content: 'hi' }], store: false }, true],
    [
      { input: 'hi', tools: [{ type: 'function', parameters: { properties: { id: { type: 'string' } } } }] },
      true,
    ],
    [{ input: 'say "id":"x"' }, true],
    [{ input: [{ type: 'message', id: 'msg_1', role: 'user', content: 'hi' }], store: false }, true],
    [{ input: [{ type: 'item_reference', id: 'rs_1' }], store: false }, false],
    [{ input: 'hi', previous_response_id: 'resp_1' }, false],
    [{ input: 'hi', conversation: 'conv_1' }, false],
    [{ input: 'hi', prompt: { id: 'pmpt_1' } }, false],
    [{ input: [{ type: 'item_reference', id: 'rs_1' }] }, false],
    [{ input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] }, false],
    [{ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] }, false],
    [{ input: 'hi', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }, false],
  ])('with a missing Responses endpoint and body %j: %s', (body, isLearned) => {
    expect(wouldChange(body, 'responses:false')).toBe(isLearned)
  })
})
