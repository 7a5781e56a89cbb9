import { readAsk } from '@tollgate/dialects/ask'
import { expect, test } from 'vitest'
import { heldWith } from '../../../../test/relay/parts.ts'
import { limitsOf } from './limits.ts'

function reasoningOf(members: Record<string, unknown>): number | undefined {
  const body = { model: 'qwen3-32b', messages: [{ role: 'user', content: 'hi' }], max_tokens: 1, ...members }
  const ask = readAsk('chat', Buffer.from(JSON.stringify(body)))
  const candidates = { model: 'qwen3-32b', tiers: [] }
  return limitsOf({ ...heldWith({ ask }), candidates }).reasoningTokensMax
}

test.each([
  {},
  { thinking: { type: 'disabled' } },
  { thinking: { type: 'disabled' }, enable_thinking: true },
  { enable_thinking: false, thinking: { type: 'enabled' } },
])('the ceiling includes reasoning that some vendor would still do with %j', (members) => {
  expect(reasoningOf(members)).toBeGreaterThan(0)
})

test('the ceiling has no reasoning when the call switches it off for every vendor', () => {
  expect(reasoningOf({ enable_thinking: false, thinking: { type: 'disabled' } })).toBe(0)
})
