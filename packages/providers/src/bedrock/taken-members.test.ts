import { expect, it } from 'vitest'
import type { Outgoing } from '../provider.ts'
import { withTakenMembers } from './taken-members.ts'

function sent(body: Outgoing['body'], beta = '', model = 'claude-sonnet-4-5'): Outgoing {
  const query = new URLSearchParams()
  const callerHeaders = { 'anthropic-beta': beta }
  return withTakenMembers({ operation: 'messages', model, isStream: false, query, callerHeaders, body })
}
const marker = { type: 'ephemeral', scope: 'global' }
const text = { type: 'text', text: 's' }

it.each<[string, Outgoing['body'], Outgoing['body'], readonly string[]]>([
  ['context_management without its beta', { context_management: {} }, {}, ['context_management']],
  ['an effort', { output_config: { effort: 'high' } }, {}, ['reasoning_effort']],
  [
    'an effort beside a format',
    { output_config: { effort: 'high', format: {} } },
    { output_config: { format: {} } },
    ['reasoning_effort'],
  ],
  [
    'scopes of cache markers',
    {
      system: [{ ...text, cache_control: marker }],
      messages: [{ role: 'user', content: [{ ...text, cache_control: marker }] }],
    },
    {
      system: [{ ...text, cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ ...text, cache_control: { type: 'ephemeral' } }] }],
    },
    ['cache_control.scope'],
  ],
  [
    'members of tools',
    { tools: [{ name: 'f', eager_input_streaming: true, defer_loading: true, strict: true }] },
    { tools: [{ name: 'f' }] },
    ['eager_input_streaming', 'defer_loading', 'strict'],
  ],
])('%s', (_name, body, expected, names) => {
  const outgoing = sent(body)
  expect(outgoing.body).toEqual(expected)
  expect(outgoing.dropped).toEqual(names)
})

it('betas that Bedrock knows become a member with what stands behind them; others are named', () => {
  const { body, dropped } = sent(
    { context_management: {} },
    'claude-code-20250219, context-management-2025-06-27,effort-2025-11-24',
  )
  expect(body).toEqual({ context_management: {}, anthropic_beta: ['context-management-2025-06-27'] })
  expect(dropped).toEqual(['claude-code-20250219', 'effort-2025-11-24'])
})

it('an effort stays for a model that takes efforts', () => {
  const body = { output_config: { effort: 'high' } }
  expect(sent(body, '', 'claude-opus-4-6').body).toEqual(body)
})
