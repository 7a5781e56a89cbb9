import { describe, expect, it } from 'vitest'
import { recordsAt } from '@tollgate/dialects/json'
import { limitStrings, type LimitingHost } from './string-limits.ts'
import type { Outgoing } from '../provider.ts'

const LONG = 'codex_mcp__codex_apps__google_calendar.search_events_exec-0b1c2d3e-1111-2222-3333-444455556666'
const IDS = [`${LONG}-1`, `${LONG}-2`, `${LONG}_2`, 'a.b', 'a_b']

interface SentTo {
  readonly provider?: string
  readonly operation?: Outgoing['operation']
  readonly isConverted?: boolean
  readonly model?: string
}

function limited(body: Outgoing['body'], sentTo: SentTo): Outgoing['body'] {
  const { provider = 'openai', operation = 'chat', isConverted = true, model = 'm' } = sentTo
  const outgoing = { operation, model, isStream: false, isConverted, query: new URLSearchParams(), body }
  const host: LimitingHost = {
    provider: { id: provider, hostsOpenAi: provider === 'azure' },
    address: 'http://127.0.0.1:9',
    dialect: operation === 'messages' ? 'anthropic' : operation === 'own' ? 'own' : 'openai',
  }
  return limitStrings(outgoing, host).body
}

const chat = {
  messages: [
    { role: 'assistant', tool_calls: IDS.map((id) => ({ id, type: 'function' })) },
    ...IDS.map((id) => ({ role: 'tool', tool_call_id: id })),
  ],
}
const responses = {
  input: IDS.flatMap((id) => [
    { type: 'function_call', call_id: id },
    { type: 'custom_tool_call_output', call_id: id },
  ]),
}
const claude = {
  messages: [
    { role: 'assistant', content: IDS.map((id) => ({ type: 'tool_use', id })) },
    { role: 'user', content: IDS.map((id) => ({ type: 'tool_result', tool_use_id: id })) },
  ],
}
const converse = {
  messages: [
    { role: 'assistant', content: IDS.map((toolUseId) => ({ toolUse: { toolUseId } })) },
    { role: 'user', content: IDS.map((toolUseId) => ({ toolResult: { toolUseId } })) },
  ],
}

/** The ids of calls and of results, wherever the format keeps them. */
function idsIn(body: Outgoing['body']): readonly string[] {
  const text = JSON.stringify([...recordsAt(body, 'messages'), ...recordsAt(body, 'input')])
  const names = /"(?:id|tool_call_id|call_id|tool_use_id|toolUseId)":"([^"]*)"/g
  return [...text.matchAll(names)].map(([, id = '']) => id)
}

describe('ids of calls', () => {
  it.each([
    ['Responses', responses, { operation: 'responses' }, /^.{1,64}$/],
    ['Claude', claude, { operation: 'messages', provider: 'anthropic' }, /^[\w-]{1,64}$/],
    [
      'Claude without a conversion',
      claude,
      { operation: 'messages', provider: 'vertex', isConverted: false },
      /^[\w-]{1,64}$/,
    ],
    ['Converse', converse, { operation: 'own', provider: 'bedrock' }, /^[\w-]{1,64}$/],
    ['Azure', chat, { provider: 'azure', isConverted: false }, /^.{1,40}$/],
    ['Mistral', chat, { provider: 'mistral', isConverted: false }, /^[a-zA-Z0-9]{9}$/],
    [
      'a server of a Mistral model',
      chat,
      { provider: 'custom', model: 'mistralai/Devstral-2' },
      /^[a-zA-Z0-9]{9}$/,
    ],
  ] as const)('before %s are taken, differ, and match their results', (_name, body, sentTo, accepted) => {
    const ids = idsIn(limited(body, sentTo))
    expect(ids).toHaveLength(IDS.length * 2)
    for (const id of ids) expect(id).toMatch(accepted)
    expect(new Set(ids).size).toBe(IDS.length)
    for (const id of new Set(ids)) expect(ids.filter((each) => each === id)).toHaveLength(2)
  })

  it.each([
    ['a chat server of an unknown vendor', chat, { provider: 'custom' }],
    [
      'an unknown Responses server, in its own format',
      responses,
      { provider: 'custom', operation: 'responses', isConverted: false },
    ],
    [
      'a relay of Messages, in its own format',
      claude,
      { provider: 'newapi', operation: 'messages', isConverted: false },
    ],
  ] as const)('stay as they are before %s', (_name, body, sentTo) => {
    expect(limited(body, sentTo)).toBe(body)
  })
})

describe('ids of users and keys of caches', () => {
  const id = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) })
  it.each([
    ['openai', 'user', 'chat', 64],
    ['openai', 'safety_identifier', 'responses', 64],
    ['azure', 'prompt_cache_key', 'chat', 64],
    ['custom', 'user', 'chat', 64],
    ['volcano', 'user', 'chat', 128],
    ['openrouter', 'user', 'chat', 128],
    ['zhipu', 'user_id', 'chat', 128],
    ['openai', 'user', 'images', 64],
  ] as const)('%s takes a shortened %s of %s (%i characters)', (provider, member, operation, max) => {
    const short = limited({ [member]: id }, { provider, operation })[member]
    expect(String(short).length).toBeLessThanOrEqual(max)
    expect(limited({ [member]: `${id} ` }, { provider, operation })[member]).not.toBe(short)
  })

  it.each([
    ['zhipu', 128],
    ['qwen', 128],
  ])('%s takes the user of a Messages body in its own format', (provider, max) => {
    const body = { metadata: { user_id: id } }
    const sent = limited(body, { provider, operation: 'messages', isConverted: false })
    expect(sent).toEqual({ metadata: { user_id: expect.stringMatching(new RegExp(`^.{6,${max}}$`)) } })
  })

  it('a short user id is lengthened where the vendor wants six characters', () => {
    const sent = limited({ user_id: 'u1' }, { provider: 'zhipu' })
    expect(String(sent['user_id']).length).toBeGreaterThan(5)
  })

  it('Claude gets the id of Claude Code as it is', () => {
    const body = { metadata: { user_id: id } }
    expect(limited(body, { provider: 'anthropic', operation: 'messages', isConverted: false })).toBe(body)
  })
})
