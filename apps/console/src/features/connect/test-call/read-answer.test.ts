import { expect, it } from 'vitest'
import { answerText, refusalText } from './read-answer.ts'

it.each([
  ['chat', { choices: [{ message: { role: 'assistant', content: ' Hello ' } }] }],
  ['responses', { output: [{ type: 'reasoning' }, { type: 'message', content: [{ text: 'Hello' }] }] }],
  [
    'messages',
    {
      content: [
        { type: 'thinking', thinking: '…' },
        { type: 'text', text: 'Hello' },
      ],
    },
  ],
  ['gemini', { candidates: [{ content: { parts: [{ text: 'Hel' }, { text: 'lo' }] } }] }],
] as const)('the text of a %s answer is read', (dialect, body) => {
  expect(answerText(dialect, body)).toBe('Hello')
})

it.each(['chat', 'responses', 'messages', 'gemini'] as const)(
  'a %s answer without text reads as empty',
  (dialect) => {
    for (const body of [
      undefined,
      null,
      'text',
      {},
      { choices: [], output: [], content: null, candidates: [{}] },
    ])
      expect(answerText(dialect, body)).toBe('')
  },
)

it('the sentence of a refusal is read from each wire format', () => {
  expect(refusalText({ error: { message: 'no', code: 401, status: 'UNAUTHENTICATED' } })).toBe('no')
  expect(refusalText({ type: 'error', error: { type: 'x', message: 'no' } })).toBe('no')
  expect(refusalText({ success: false, message: 'no' })).toBe('no')
  expect(refusalText('<html>')).toBe('')
})
