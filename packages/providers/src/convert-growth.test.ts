import { anthropicUpstream } from '@tollgate/dialects/anthropic/codec'
import type { NamedCodec } from '@tollgate/dialects/canonical/codec'
import { codecOf, type ConversationOperation } from '@tollgate/dialects/conversations'
import { expect, test } from 'vitest'
import { openConversion } from './convert.ts'
import { providers } from './index.ts'

const list = (count: number, make: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => make(index))

type Make = (count: number) => Record<string, unknown>

const user = { role: 'user', content: 'x' }

const namespaceOf = (at: number) => ({
  type: 'namespace',
  name: `n${at}`,
  tools: [{ type: 'function', name: 'f' }],
})

/** Conversations of many small pieces, in shapes where pieces have to be matched or joined. */
const shapes: readonly (readonly [string, ConversationOperation, Make])[] = [
  [
    'outputs',
    'responses',
    (n) => ({ input: list(n, () => ({ type: 'function_call_output', call_id: 'a', output: 'x' })) }),
  ],
  ['answers', 'responses', (n) => ({ input: list(n, () => ({ role: 'assistant', content: 'x' })) })],
  ['questions', 'responses', (n) => ({ input: list(n, () => user) })],
  [
    'calls',
    'responses',
    (n) => ({
      input: list(n, (id) => ({ type: 'function_call', call_id: `c${id}`, name: 'f', arguments: '{}' })),
    }),
  ],
  [
    'tools in items',
    'responses',
    (n) => ({
      input: [
        { type: 'additional_tools', tools: list(n / 4, (at) => namespaceOf(at)) },
        ...list(n / 4, (at) => ({ type: 'tool_search_call', call_id: `s${at}`, arguments: {} })),
        ...list(n / 4, (at) => ({ type: 'tool_search_output', call_id: `s${at}`, tools: [namespaceOf(at)] })),
      ],
    }),
  ],
  [
    'calls of tools with free text',
    'responses',
    (n) => ({
      tools: list(n / 2, (at) => ({ type: 'custom', name: `a${at}` })),
      input: list(n / 2, (at) => ({
        type: 'custom_tool_call',
        call_id: `c${at}`,
        name: `a${at}`,
        input: 'x',
      })),
      tool_choice: {
        type: 'allowed_tools',
        tools: list(n / 2, (at) => ({ type: 'custom', name: `a${at}` })),
      },
    }),
  ],
  ['answers', 'generate', (n) => ({ contents: list(n, () => ({ role: 'model', parts: [{ text: 'x' }] })) })],
  [
    'results of other calls',
    'generate',
    (n) => ({
      contents: [
        { role: 'model', parts: list(n / 2, () => ({ functionCall: { name: 'a' } })) },
        { role: 'user', parts: list(n / 2, () => ({ functionResponse: { name: 'b', id: 'z' } })) },
      ],
    }),
  ],
  ['questions', 'chat', (n) => ({ messages: list(n, () => user) })],
  ['answers', 'chat', (n) => ({ messages: list(n, () => ({ role: 'assistant', content: 'x' })) })],
  [
    'system texts',
    'chat',
    (n) => ({ messages: [user, ...list(n, () => ({ role: 'system', content: 'x' }))] }),
  ],
  [
    'calls and results by turns',
    'chat',
    (n) => ({
      messages: list(n, (at) =>
        at % 2 === 0
          ? { role: 'assistant', tool_calls: [{ id: `c${at}`, function: { name: 'a' } }] }
          : { role: 'tool', tool_call_id: `c${at - 1}`, content: 'x' },
      ),
    }),
  ],
  [
    'tools of which some are allowed',
    'chat',
    (n) => ({
      messages: [user],
      tools: list(n / 2, (at) => ({ type: 'function', function: { name: `a${at}` } })),
      tool_choice: { type: 'allowed_tools', allowed_tools: { tools: list(n / 2, () => ({ name: 'b' })) } },
    }),
  ],
  ['questions', 'messages', (n) => ({ messages: list(n, () => user) })],
]

const ownCodecs = providers.flatMap(
  ({ endpoints }) => endpoints.own?.flatMap(({ codec }) => codec ?? []) ?? [],
)
const codecs: readonly NamedCodec[] = [
  ...(['chat', 'messages', 'responses', 'generate'] as const).flatMap((name) => codecOf(name) ?? []),
  // `npm run verify` leaves out the formats that only one vendor speaks.
  ...(process.env['TOLLGATE_QUICK'] ? [] : new Set(ownCodecs)),
]

const FEW = process.env['TOLLGATE_QUICK'] ? 500 : 1_000
const MANY = 8 * FEW

/** CPU time of this thread in milliseconds, independent of other load on the machine. */
function timeOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user: own, system } = process.threadCpuUsage(before)
  return (own + system) / 1000
}

test.each(shapes)('converting a conversation of many %s in %s takes linear time', (_name, asked, make) => {
  for (const codec of codecs) {
    const attempt = (count: number) => {
      const body = { model: 'm', max_tokens: 5, ...make(count) }
      return timeOf(() => {
        try {
          openConversion({
            asked,
            codec,
            body,
            model: 'm',
            isStream: false,
            outputTokensDefault: 5,
          }).write()
        } catch {
          // Members that a dialect cannot express were still read.
        }
      })
    }
    // The second conversation is 8 times as large. Linear work takes about 8 times as long, quadratic work
    // 64 times; the allowance is 24 times, and at least 240 ms for short runs.
    const allowed = 24 * Math.max(Math.min(attempt(FEW), attempt(FEW)), 10)
    // A second run decides only when the first one was disturbed.
    const firstMs = attempt(MANY)
    const ms = firstMs < allowed ? firstMs : Math.min(firstMs, attempt(MANY))
    expect(ms, String(codec.name)).toBeLessThan(allowed)
  }
})

const unknown = (tool: number) =>
  Object.fromEntries(Array.from({ length: 9_900 }, (_, at) => [`x${tool}_${at}`, 1]))

test('tools with as many unknown members as a body may have can be converted', () => {
  const tools = list(20, (at) => ({ type: 'function', name: `f${at}`, ...unknown(at) }))
  const { dropped } = openConversion({
    asked: 'responses',
    codec: anthropicUpstream,
    body: { input: 'hi', tools },
    model: 'm',
    isStream: false,
    outputTokensDefault: 5,
  }).write()
  expect(dropped).toHaveLength(32)
})
