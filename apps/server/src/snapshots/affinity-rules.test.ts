import { affinityRulesSchema } from '@tollgate/contract/options/affinity-rules'
import { expect, it } from 'vitest'
import { ruleSession } from '../relay/affinity/rule-session.ts'
import { ownerWith, tokenWith } from '../../test/relay/parts.ts'
import { affinityRules } from './affinity-rules.ts'

/** Rules as consoles of the new-api family write them. */
const CODEX = {
  name: 'codex',
  model_regex: ['^gpt-.*$'],
  path_regex: ['/v1/responses'],
  key_sources: [{ type: 'gjson', path: 'prompt_cache_key' }],
  value_regex: '',
  ttl_seconds: 0,
  include_using_group: true,
  include_rule_name: true,
  param_override_template: null,
}
const BY_AGENT = {
  name: 'by agent',
  model_regex: [],
  user_agent_include: ['Claude-CLI'],
  key_sources: [
    { type: 'request_header', key: 'X-Team' },
    { type: 'gjson', path: 'metadata.list.0.id' },
    { type: 'context_int', key: 'token_id' },
  ],
  value_regex: '^[a-z0-9]+$',
  ttl_seconds: 60,
  skip_retry_on_failure: true,
}

function find(stored: readonly object[], parts: object = {}) {
  const rules = affinityRules(affinityRulesSchema.parse(stored), (pattern) => {
    throw new Error(pattern)
  })
  const call = {
    model: 'gpt-5.2',
    path: '/v1/responses',
    headers: {},
    body: {},
    caller: { owner: ownerWith(), token: tokenWith({ id: 7 }) },
    group: 'default',
  }
  return ruleSession({ ...call, ...parts }, rules)
}

it('the first rule that takes the call and finds a value names its session', () => {
  const body = { prompt_cache_key: 'key', metadata: { list: [{ id: 'deep' }] } }
  const headers = { 'user-agent': 'claude-cli/2.1', 'x-team': 'red' }
  expect(find([CODEX, BY_AGENT], { body, headers })?.name).toBe('rule codex\nkey')
  expect(find([CODEX, BY_AGENT], { body, headers, model: 'claude-x' })?.name).toBe('rule \nred')
  expect(find([CODEX, BY_AGENT], { body, path: '/v1/messages' })).toBeUndefined()
})

it('the sources of a rule are tried in order, and a value must match its pattern', () => {
  const headers = { 'user-agent': 'claude-cli/2.1' }
  const body = { metadata: { list: [{ id: 'deep' }] } }
  expect(find([BY_AGENT], { headers, body })?.name).toBe('rule \ndeep')
  expect(find([BY_AGENT], { headers: { ...headers, 'x-team': 'Red!' }, body })?.name).toBe('rule \ndeep')
  expect(find([BY_AGENT], { headers })?.name).toBe('rule \n7')
  expect(find([BY_AGENT], { headers })?.rule).toMatchObject({ lifetimeMs: 60_000, staysOnFailure: true })
})

it.each([{ prompt_cache_key: 'k'.repeat(10_240) }, { prompt_cache_key: {} }, { prompt_cache_key: ' ' }])(
  'a value that is too long or no text is none',
  (body) => {
    expect(find([CODEX], { body })).toBeUndefined()
  },
)

it.each([
  [[{ ...CODEX, key_sources: [] }]],
  [[{ ...CODEX, key_sources: [{ type: 'gjson' }] }]],
  [[{ ...CODEX, key_sources: [{ type: 'context_int', key: 'password' }] }]],
  [[{ ...CODEX, ttl_seconds: -1 }]],
  [[{ ...CODEX, name: '' }]],
  [[CODEX, CODEX]],
  [Array.from({ length: 33 }, (_, index) => ({ ...CODEX, name: `${index}` }))],
  [{}],
])('rules in another form are refused', (stored) => {
  expect(affinityRulesSchema.safeParse(stored).success).toBe(false)
})

it('a rule with a pattern that cannot be read is reported and left out', () => {
  const faults: string[] = []
  const stored = affinityRulesSchema.parse([{ ...CODEX, model_regex: ['(?=x)'] }, BY_AGENT])
  expect(affinityRules(stored, (pattern) => void faults.push(pattern))).toHaveLength(1)
  expect(faults).toEqual(['(?=x)'])
})
