import { conversations } from '@tollgate/dialects/conversations'
import { readOpenAiUsage } from '@tollgate/dialects/openai-usage'
import type { PairRules } from '@tollgate/dialects/pair/pair'
import { expect, test } from 'vitest'
import { findPassingOperation } from './passing-sink.ts'

const RULES: PairRules = {
  asked: 'chat',
  caller: conversations.chat.caller,
  endpoint: 'chat',
  readUsage: readOpenAiUsage,
  context: { model: 'm', fallbackId: '1', nowSeconds: 0, inputTokensCounted: 1, wantsUsage: false },
}
const WHOLE = { ask: { isStream: false }, settings: { costReport: 'off' } } as const

test.each(['chat', 'completions', 'embeddings', 'rerank', 'messages', 'responses', 'generate'] as const)(
  'a native response to %s passes',
  (operation) => {
    expect(findPassingOperation({ ...RULES, asked: operation, endpoint: operation }, WHOLE)).toBe(operation)
  },
)

test.each<[string, Partial<PairRules>]>([
  ['is converted from Messages', { endpoint: 'messages' }],
  ['is converted to Messages', { asked: 'messages' }],
  ['is of another embedding format', { asked: 'embeddings', endpoint: 'embed' }],
  ['is a picture', { asked: 'images', endpoint: 'images' }],
  ['is collected from a stream', { isCollected: true }],
  ['has thinking moved into its content', { thinkingToContent: true }],
  ['is brought into a fixed form', { forceFormat: true }],
  ['has its vectors packed', { packsVectors: true }],
  ['becomes plain text', { isPlainText: true }],
  ['is adjusted, such as in its model', { adjustAnswer: (answer) => answer }],
  ['may hold an error of its vendor', { errorInside: () => undefined }],
  ['carries the name that its caller asked for', { answerModel: 'mine' }],
  ['has renamed tools', { originalTools: new Map() }],
])('a response that %s is kept whole', (_, rules) => {
  expect(findPassingOperation({ ...RULES, ...rules }, WHOLE)).toBeUndefined()
})

test('a response that is to be a stream, or has its cost reported, is kept whole', () => {
  expect(findPassingOperation(RULES, { ...WHOLE, ask: { isStream: true } })).toBeUndefined()
  for (const costReport of ['header', 'usage'] as const)
    expect(findPassingOperation(RULES, { ...WHOLE, settings: { costReport } })).toBeUndefined()
})
