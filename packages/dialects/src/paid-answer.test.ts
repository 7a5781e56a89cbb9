import { feeRows } from '@tollgate/catalogue/fees/fee-rows'
import { describe, expect, it, test } from 'vitest'
import { readGeminiUsage } from './gemini/usage.ts'
import { readOpenAiUsage } from './openai-usage.ts'
import { openStreamTap } from './openai/stream-tap.ts'
import { readResponsesUsage } from './responses/usage.ts'
import { findUnknownCounts } from './unknown-counts.ts'

/** Evidence of paid tools in what vendors answer. */

const usage = { input_tokens: 100, output_tokens: 10 }
const call = (type: string, more: object = {}) => ({ id: 'i', type, status: 'completed', ...more })
const readItems = (output: readonly object[], tools?: readonly object[]) =>
  readResponsesUsage({ output, usage, ...(tools && { tools }) })?.toolCalls

describe('items of a response', () => {
  test.each([
    ['searches of X by their own type', [call('x_search_call'), call('x_search_call')], { x_search: 2 }],
    [
      'searches of X by the names of tools',
      [call('custom_tool_call', { name: 'x_keyword_search' }), call('custom_tool_call', { name: 'mine' })],
      { x_search: 1 },
    ],
    [
      'searches of collections',
      [call('collections_search_call'), call('file_search_call')],
      { file_search: 2 },
    ],
    [
      'containers of shells, each once',
      [
        call('shell_call', { container_id: 'a' }),
        call('shell_call', { container_id: 'a' }),
        call('shell_call', { environment: { container_id: 'b' } }),
      ],
      { hosted_shell: 2 },
    ],
    [
      'runs and containers of code',
      [
        call('code_interpreter_call', { container_id: 'a' }),
        call('code_interpreter_call', { container_id: 'a' }),
      ],
      { code_interpreter: 1, code_interpreter_runs: 2 },
    ],
    [
      'nothing that failed',
      [
        call('x_search_call', { status: 'failed' }),
        call('shell_call', { status: 'failed' }),
        call('web_search_call', { status: 'failed' }),
      ],
      undefined,
    ],
  ])('%s are counted', (_name, output, counts) => {
    expect(readItems(output)).toEqual(counts)
  })

  it('the size of a container is read where the answer repeats its tools', () => {
    const tools = [
      { type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } },
      { type: 'shell', environment: { type: 'container_auto', memory_limit: '64g' } },
    ]
    expect(readItems([call('code_interpreter_call'), call('shell_call')], tools)).toEqual({
      code_interpreter: 1,
      code_interpreter_memory: 4,
      code_interpreter_runs: 1,
      hosted_shell: 1,
      hosted_shell_memory: 64,
    })
  })

  it('a shell that the caller runs has no fee', () => {
    const tools = [{ type: 'shell', environment: { type: 'local' } }]
    expect(readItems([call('shell_call')], tools)).toBeUndefined()
  })
})

test.each([
  ['a place', { groundingChunks: [{ maps: { uri: 'u' } }] }, { google_maps: 1 }],
  ['a widget', { googleMapsWidgetContextToken: 'w' }, { google_maps: 1 }],
  [
    'places and pages',
    { webSearchQueries: ['a', 'b'], groundingChunks: [{ maps: {} }, { web: {} }] },
    { google_maps: 1, google_search: 2 },
  ],
  ['nothing', { groundingChunks: [] }, undefined],
])('grounding with %s is counted', (_name, groundingMetadata, counts) => {
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 5 }
  const answer = { candidates: [{ groundingMetadata }], usageMetadata, modelVersion: 'gemini-3' }
  expect(readGeminiUsage(answer)?.toolCalls).toEqual(counts)
})

const chatUsage = { prompt_tokens: 5, completion_tokens: 5 }
const calls = (...names: readonly string[]) => ({
  tool_calls: names.map((name, index) => ({ index, id: `c${index}`, function: { name, arguments: '{}' } })),
})

test.each([
  [
    'functions of the vendor',
    { choices: [{ message: calls('$web_search', 'mine', '$web_search') }] },
    { vendor_function: 2 },
  ],
  [
    'results of a search',
    { choices: [{ message: {} }], web_search: [{ title: 't' }] },
    { search_results: 1 },
  ],
  ['no results', { choices: [{ message: {} }], web_search: [] }, undefined],
])('%s beside the usage of a chat answer are counted', (_name, answer, counts) => {
  expect(readOpenAiUsage({ ...answer, usage: chatUsage })?.toolCalls).toEqual(counts)
})

test.each([
  ['functions of the vendor', [{ choices: [{ delta: calls('$web_search') }] }], { vendor_function: 1 }],
  ['functions of the caller', [{ choices: [{ delta: calls('web_search', 'cost') }] }], undefined],
  [
    'results of a search',
    [{ choices: [{ delta: { content: 'x' } }], web_search: [{ title: 't', content: 'a page' }] }],
    { search_results: 1 },
  ],
  ['no results', [{ choices: [{ delta: { content: 'x' } }], web_search: null }], undefined],
])('%s in a stream are counted, wherever it is cut', (_name, chunks, counts) => {
  const frames = chunks.map((chunk) => `data: ${JSON.stringify({ id: 'c', ...chunk })}\n\n`).join('')
  const text = Buffer.from(`${frames}data: [DONE]\n\n`)
  for (let at = 1; at < text.length; at += 3) {
    const tap = openStreamTap({
      operation: 'chat',
      readUsage: readOpenAiUsage,
      forwardsUsage: false,
      inputTokensCounted: 1,
    })
    tap.push(text.subarray(0, at))
    tap.push(text.subarray(at))
    tap.end()
    expect(tap.reading.paidUses).toEqual(counts)
  }
})

test.each(feeRows.flatMap(({ name, reportedAt }) => reportedAt.map((path) => [path, name] as const)))(
  'the count at %s, by which %s is charged, is a known one',
  (path) => {
    const [first = '', ...rest] = path.split('.')
    const raw = { [first]: rest.reduceRight<unknown>((value, member) => ({ [member]: value }), 3) }
    expect(findUnknownCounts('openai', raw)).toEqual({})
  },
)
