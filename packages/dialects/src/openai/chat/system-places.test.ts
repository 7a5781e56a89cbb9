import { expect, it } from 'vitest'
import { withJoinedTexts } from './joined-texts.ts'
import { withSystemPlaces } from './system-places.ts'

const system = (content: unknown) => ({ role: 'system', content })
const text = (words: string) => ({ type: 'text', text: words })
const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })
const calls = { role: 'assistant', content: null, tool_calls: [{ id: 'a' }, { id: 'b' }] }
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'done' })
const reminder = (text: string) => user(`<system-reminder>\n${text}\n</system-reminder>`)

const turn = [system('one'), system('two'), user('hi'), system('later')]

it('leading system messages are merged, and later ones become reminders in their place', () => {
  expect(withSystemPlaces(turn, 'reminders')).toEqual([
    { role: 'system', content: 'one\n\ntwo' },
    user('hi'),
    reminder('later'),
  ])
})

it('the messages of one request are a prefix of those of the next', () => {
  const before = withSystemPlaces(turn, 'reminders')
  const after = withSystemPlaces([...turn, assistant('yes'), user('go on'), system('last')], 'reminders')
  expect(after.slice(0, before.length)).toEqual(before)
})

it('a reminder between tool results is moved after the last of them', () => {
  const placed = withSystemPlaces([user('hi'), calls, result('a'), system('now'), result('b')], 'reminders')
  expect(placed).toEqual([user('hi'), calls, result('a'), result('b'), reminder('now')])
})

it('hoisted system messages are merged into the first one', () => {
  expect(withSystemPlaces(turn, 'hoisted')).toEqual([system('one\n\ntwo\n\nlater'), user('hi')])
  expect(withSystemPlaces([user('hi'), { role: 'developer', content: 'x' }], 'hoisted')).toEqual([
    { role: 'developer', content: 'x' },
    user('hi'),
  ])
})

it('merged system messages with content parts keep their parts', () => {
  const part = { type: 'text', text: 'two' }
  expect(withSystemPlaces([system('one'), system([part])], 'reminders')).toEqual([
    system([{ type: 'text', text: 'one' }, part]),
  ])
})

it('messages that need no change are returned as the same array', () => {
  const messages = [system('one'), user('hi')]
  expect(withSystemPlaces(messages, 'reminders')).toBe(messages)
  expect(withSystemPlaces(turn, 'anywhere')).toBe(turn)
})

it('a content list of only texts becomes one string, and any other list is unchanged', () => {
  expect(withJoinedTexts(system([text('one'), text(''), text('two')]))).toEqual(system('one\n\ntwo'))
  const mixed = system([text('one'), { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])
  expect(withJoinedTexts(mixed)).toBe(mixed)
})
