import { expect, it } from 'vitest'
import type { Outgoing } from '../provider.ts'
import { withSystemReminders } from './system-turns.ts'

const user = { role: 'user', content: 'x' }
const system = { role: 'system', content: 'be brief' }
const calls = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] }
const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r' }] }
const reminder = {
  role: 'user',
  content: [{ type: 'text', text: '<system-reminder>\nbe brief\n</system-reminder>' }],
}

function sent(...messages: readonly object[]): Outgoing {
  const body = { messages }
  return withSystemReminders({
    operation: 'messages',
    model: 'm',
    isStream: false,
    query: new URLSearchParams(),
    body,
  })
}

it.each([
  ['after the user', [user, system], [user, reminder]],
  [
    'with blocks',
    [user, { role: 'system', content: [{ type: 'text', text: 'be brief' }] }],
    [user, reminder],
  ],
  ['between calls and results', [calls, system, results], [calls, results, reminder]],
  ['at the end, after calls', [calls, system], [calls, reminder]],
])('a system turn %s becomes a reminder', (_name, messages, expected) => {
  const { body, repairs } = sent(...messages)
  expect(body['messages']).toEqual(expected)
  expect(repairs).toEqual(['system_reminders'])
})

it('other conversations stay the same', () => {
  expect(sent(user, calls, results).repairs).toBeUndefined()
})
