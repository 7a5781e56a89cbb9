import { expect, it } from 'vitest'
import type { Outgoing } from '../provider.ts'
import { claudeHosts, findClaudeHost } from '@tollgate/catalogue/limits/claude-hosts'
import { invariant } from '@tollgate/kit/invariant'
import { withTakenMembers } from './claude-members.ts'

const ADDRESSES = {
  bedrock: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  vertex: 'https://aiplatform.googleapis.com',
  anthropic: 'https://acme.services.ai.azure.com/anthropic',
} as const

function sent(
  body: Outgoing['body'],
  beta = '',
  {
    model = 'claude-sonnet-4-5',
    provider = 'bedrock',
  }: { readonly model?: string; readonly provider?: keyof typeof ADDRESSES } = {},
): Outgoing {
  const host = findClaudeHost(provider, ADDRESSES[provider])
  invariant(host !== undefined, 'each of these hosts has a row')
  const query = new URLSearchParams()
  const callerHeaders = { 'anthropic-beta': beta }
  return withTakenMembers({ operation: 'messages', model, isStream: false, query, callerHeaders, body }, host)
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

it.each([
  [
    'bedrock',
    'claude-code-20250219, context-management-2025-06-27,effort-2025-11-24',
    'context-management-2025-06-27',
    ['claude-code-20250219', 'effort-2025-11-24'],
  ],
  [
    'vertex',
    'prompt-caching-scope-2026-01-05,advanced-tool-use-2025-11-20,context-management-2025-06-27',
    'tool-search-tool-2025-10-19,context-management-2025-06-27',
    ['prompt-caching-scope-2026-01-05'],
  ],
  [
    'anthropic',
    'claude-code-20250219,prompt-caching-scope-2026-01-05,context-management-2025-06-27,made-up-2026-01-01',
    'prompt-caching-scope-2026-01-05,context-management-2025-06-27',
    ['claude-code-20250219', 'made-up-2026-01-01'],
  ],
] as const)('%s gets the betas that it takes of %s', (provider, betas, taken, names) => {
  const { body, callerHeaders, dropped } = sent({ context_management: {} }, betas, { provider })
  expect(body).toEqual({ context_management: {} })
  expect(callerHeaders).toEqual({ 'anthropic-beta': taken })
  expect(dropped).toEqual(names)
})

it.each([
  ['bedrock', [{ name: 'f' }], ['defer_loading', 'input_examples']],
  ['vertex', [{ name: 'f', defer_loading: true }], ['input_examples']],
  ['anthropic', [{ name: 'f', defer_loading: true, input_examples: [] }], []],
] as const)('%s gets the members of tools behind the betas of tools', (provider, tools, names) => {
  const asked = { tools: [{ name: 'f', defer_loading: true, input_examples: [] }] }
  const { body, dropped = [] } = sent(asked, 'advanced-tool-use-2025-11-20', { provider })
  expect(body['tools']).toEqual(tools)
  expect(dropped.filter((name) => !name.includes('-'))).toEqual(names)
})

it('betas in the body stay there', () => {
  const asked = { anthropic_beta: ['context-1m-2025-08-07', 'fast-mode-2026-02-01'] }
  expect(sent(asked).body).toEqual({ anthropic_beta: ['context-1m-2025-08-07'] })
})

it('an effort stays for a model that takes efforts, and where every model may have one', () => {
  const body = { output_config: { effort: 'high' } }
  expect(sent(body, '', { model: 'claude-opus-4-6' }).body).toEqual(body)
  expect(sent(body, '', { provider: 'anthropic' }).body).toEqual(body)
})

it('Anthropic and relays have no row, and every row has a source', () => {
  expect(findClaudeHost('anthropic', 'https://api.anthropic.com')).toBeUndefined()
  expect(findClaudeHost('anthropic', 'https://relay.example')).toBeUndefined()
  expect(findClaudeHost('openai', 'no address')).toBeUndefined()
  for (const { source } of claudeHosts) expect(source.url).toMatch(/^https:/)
})
