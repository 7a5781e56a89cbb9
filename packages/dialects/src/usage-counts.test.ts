import { usageMembers } from '@tollgate/catalogue/usage/usage-members'
import { describe, expect, it } from 'vitest'
import { readAnthropicUsage } from './anthropic/usage.ts'
import type { UsageReader } from './dialect.ts'
import { readGeminiUsage } from './gemini/usage.ts'
import { readOpenAiUsage } from './openai-usage.ts'
import { findUnknownCounts } from './unknown-counts.ts'
import { readCount } from './usage-count.ts'
import { fillLostCounts, inputTokens, outputTokens } from './usage.ts'

/** What happens to single members of a report that are no counts, for each reader. */

it.each([
  [7, 7],
  [7.0, 7],
  ['7', 7],
  ['7.0', 7],
  ['007', 7],
  ['123456789012345', 123_456_789_012_345],
  [null, undefined],
  [undefined, undefined],
  [-1, 'no-count'],
  [7.5, 'no-count'],
  ['7.5', 'no-count'],
  ['1234567890123456', 'no-count'],
  ['-7', 'no-count'],
  ['7e3', 'no-count'],
  ['', 'no-count'],
  [' 7', 'no-count'],
  ['７', 'no-count'],
  [2 ** 53, 'no-count'],
  [Number.NaN, 'no-count'],
  [true, 'no-count'],
  [[7], 'no-count'],
])('%j is read as the count %j', (value, count) => {
  expect(readCount(value)).toBe(count)
})

interface Family {
  readonly name: string
  readonly read: UsageReader
  readonly wrap: (raw: Record<string, unknown>) => Record<string, unknown>
  readonly input: string
  readonly output: string
  /** A part of the input that is reported by itself. */
  readonly cached: string
  readonly whole: Record<string, number>
}

const families: readonly Family[] = [
  {
    name: 'chat',
    read: readOpenAiUsage,
    wrap: (usage) => ({ usage }),
    input: 'prompt_tokens',
    output: 'completion_tokens',
    cached: 'cached_tokens',
    whole: { prompt_tokens: 1_000, completion_tokens: 50 },
  },
  {
    name: 'Messages',
    read: readAnthropicUsage,
    wrap: (usage) => ({ usage }),
    input: 'input_tokens',
    output: 'output_tokens',
    cached: 'cache_read_input_tokens',
    whole: { input_tokens: 1_000, output_tokens: 50 },
  },
  {
    name: 'Gemini',
    read: readGeminiUsage,
    wrap: (usageMetadata) => ({ usageMetadata }),
    input: 'promptTokenCount',
    output: 'candidatesTokenCount',
    cached: 'cachedContentTokenCount',
    whole: { promptTokenCount: 1_000, candidatesTokenCount: 50 },
  },
]
const own = { input: () => 900, output: () => 40 }

describe.each(families)('a report of $name', ({ read, wrap, input, output, whole }) => {
  it.each([-1, 1.5, 'many', true])('keeps its output if the input is %j', (value) => {
    const usage = read(wrap({ ...whole, [input]: value }))
    if (usage === undefined) throw new Error('the report is read')
    const filled = fillLostCounts(usage, own)
    expect([inputTokens(filled), outputTokens(filled), filled.lost]).toEqual([900, 50, undefined])
  })

  it.each([-1, 1.5, 'many', true])('keeps its input if the output is %j', (value) => {
    const usage = read(wrap({ ...whole, [output]: value }))
    if (usage === undefined) throw new Error('the report is read')
    const filled = fillLostCounts(usage, own)
    expect([inputTokens(filled), outputTokens(filled)]).toEqual([1_000, 40])
  })

  it('reads decimal text, also with .0, and marks nothing', () => {
    const texts = Object.fromEntries(Object.entries(whole).map(([name, count]) => [name, `${count}.0`]))
    const { raw: _raw, ...usage } = read(wrap(texts)) ?? {}
    const { raw: _same, ...expected } = read(wrap(whole)) ?? {}
    expect(usage).toEqual(expected)
    expect(usage).not.toHaveProperty('lost')
  })
})

it('a total that is valid bounds what stands for a member that is none', () => {
  const report = { prompt_tokens: 1_000, completion_tokens: 'many', total_tokens: 6_000 }
  const usage = readOpenAiUsage({ usage: report })
  expect(usage && outputTokens(fillLostCounts(usage, own))).toBe(5_000)
})

it('hidden reasoning and cached input that are valid stay when their totals are none', () => {
  const report = {
    prompt_tokens: -1,
    completion_tokens: -1,
    prompt_tokens_details: { cached_tokens: 2_000 },
    completion_tokens_details: { reasoning_tokens: 4_990 },
  }
  const usage = readOpenAiUsage({ usage: report })
  const filled = usage && fillLostCounts(usage, own)
  expect(filled).toMatchObject({ cacheRead: 2_000, inputText: 0, outputText: 4_990 })
})

it('thoughts of Gemini are counted beside the candidates that the gateway counts', () => {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: -1, thoughtsTokenCount: 500 }
  const usage = readGeminiUsage({ usageMetadata })
  expect(usage && outputTokens(fillLostCounts(usage, own))).toBe(540)
})

describe('counts that nobody knows', () => {
  it.each([
    ['openai', { prompt_tokens: 5, mystery_tokens: 7 }, ['mystery_tokens']],
    [
      'openai',
      { prompt_tokens_details: { cached_tokens: 5, hologram_tokens: 7 } },
      ['prompt_tokens_details.hologram_tokens'],
    ],
    [
      'anthropic',
      { input_tokens: 5, server_tool_use: { dream_requests: 2 } },
      ['server_tool_use.dream_requests'],
    ],
    ['anthropic', { iterations: [{ input_tokens: 5 }, { oracle_tokens: 3 }] }, ['iterations.oracle_tokens']],
    ['gemini', { promptTokenCount: 5, dreamTokenCount: 3 }, ['dreamTokenCount']],
    ['gemini', { promptTokensDetails: [{ modality: 'SMELL', tokenCount: 5 }] }, undefined],
    ['converse', { inputTokens: 5, guardTokens: 3 }, ['guardTokens']],
    ['openai', { prompt_tokens: 5, mystery_tokens: 0, other: { deep: 0 } }, undefined],
    ['openai', { cost: 0.1, cost_details: { upstream_inference_cost: 0.2, anything: 3 } }, undefined],
    ['openai', { cost_details2: { toString: 3 } }, ['cost_details2.toString']],
    ['openai', { prompt_tokens_details: { toString: 3 } }, ['prompt_tokens_details.toString']],
    ['openai', { toString: 3, ['__proto__x']: 2 }, ['toString', '__proto__x']],
  ] as const)('of %s in %j are %j', (family, raw, names) => {
    expect(findUnknownCounts(family, raw).unknownCounts).toEqual(names)
  })

  it('are at most 32 names of 64 plain characters', () => {
    const raw = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}${'é'.repeat(100)}`, 1]))
    const { unknownCounts = [] } = findUnknownCounts('openai', raw)
    expect(unknownCounts).toHaveLength(32)
    expect(unknownCounts.every((name) => /^[\x21-\x7e]{1,64}$/.test(name))).toBe(true)
  })

  it('are on the usage that a reader returns', () => {
    expect(
      readAnthropicUsage({ usage: { input_tokens: 5, output_tokens: 1, dream_tokens: 9 } }),
    ).toMatchObject({
      unknownCounts: ['dream_tokens'],
    })
  })

  it('do not contain a path that a row knows', () => {
    for (const { family, paths } of usageMembers)
      for (const path of paths) {
        const names = path.replace('*', 'anything').split('.')
        const [first = '', ...rest] = names
        const raw = { [first]: rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), 5) }
        expect([path, findUnknownCounts(family, raw)]).toEqual([path, {}])
      }
  })
})
