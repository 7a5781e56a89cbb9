import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { countFees, type FeeReport } from './count-fees.ts'
import type { FeeRequest, FeeRow } from './fee-row.ts'
import { feeRows, listFeeRows } from './fee-rows.ts'
import { listRequestedFees, type FeeQuestion } from './request-fees.ts'

type Body = FeeQuestion['body']

/** A request that asks for a fee in each of the forms that a row may have. */
const requests: Readonly<Record<FeeRequest['type'], (name: string) => Partial<FeeQuestion>>> = {
  tool: (name) => ({ tools: [{ type: `${name}_20260101` }] }),
  'hosted-tool': (name) => ({ tools: [{ type: name, environment: { type: 'container_auto' } }] }),
  'tool-member': (name) => ({ tools: [{ [name]: {} }] }),
  function: (name) => ({ tools: [{ type: 'builtin_function', function: { name } }] }),
  member: (name) => ({ body: { [name]: {} } }),
  plugin: (name) => ({ body: { plugins: [{ id: name }] } }),
  suffix: (name) => ({ model: `m${name}` }),
  every: () => ({}),
}

function ask(parts: Partial<FeeQuestion>): FeeQuestion {
  return { body: {}, tools: [], model: 'm', ...parts }
}

function modelOf({ models, exceptModels }: FeeRow): string {
  return models?.[0] ?? (exceptModels === undefined ? 'm' : 'sonar')
}

/** A question in the first form of a row, for a model and a context size that it is about. */
function askFor(row: FeeRow, more: Body = {}): FeeQuestion {
  const [form] = row.requests
  const parts = form === undefined ? {} : requests[form.type](form.name)
  const size = row.contextSize === undefined ? {} : { search_context_size: row.contextSize }
  return ask({ model: modelOf(row), ...parts, body: { ...parts.body, ...size, ...more } })
}

/** A usage object that reports a count at a path such as `plugins.search.count`. */
function reportAt(path: string, count: unknown): unknown {
  return path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), count)
}

function report(parts: Partial<FeeReport>): FeeReport {
  return { usage: undefined, evidence: {}, model: 'm', isPromptStored: false, ...parts }
}

function countFor(row: FeeRow, parts: Partial<FeeReport>, question = askFor(row)) {
  const rows = [row]
  return countFees(rows, listRequestedFees(rows, question), report({ model: question.model, ...parts }))
}

const uses = fc.integer({ min: 1, max: 500 })

describe.each(feeRows.map((row) => [row.name, row] as const))('%s', (name, row) => {
  const { unitsPerUse = 1 } = listRequestedFees([row], askFor(row))[0] ?? {}
  const isAlways = row.requests.some(({ isCertain }) => isCertain === true)

  test('is found in a request in each of its forms, and in no empty one', () => {
    for (const { type, name: form } of row.requests) {
      const size = row.contextSize === undefined ? {} : { search_context_size: row.contextSize }
      const { body = {}, ...parts } = requests[type](form)
      const suffixed = type === 'suffix' ? { model: `${modelOf(row)}${form}` } : { model: modelOf(row) }
      const [found] = listRequestedFees([row], ask({ ...parts, ...suffixed, body: { ...body, ...size } }))
      expect(found, type).toMatchObject({ row })
      expect(found?.most).toBeGreaterThanOrEqual(found?.expected ?? 0)
      expect(found?.expected).toBeGreaterThan(0)
    }
    if (row.requests.every(({ type }) => type !== 'every'))
      expect(listRequestedFees([row], ask({ model: modelOf(row) }))).toEqual([])
  })

  test.runIf(row.reportedAt.length > 0)(
    'is counted as the vendor reports it, whatever the answer shows',
    () => {
      fc.assert(
        fc.property(uses, fc.nat(20), fc.constantFrom(...row.reportedAt), (count, seen, path) => {
          const evidence = row.evidence === undefined ? {} : { [row.evidence]: seen }
          const counts = countFor(row, { usage: reportAt(path, count), evidence })
          expect(counts).toEqual({ [name]: count * unitsPerUse })
          expect(countFor(row, { usage: reportAt(path, 0), evidence })).toEqual({})
        }),
      )
    },
  )

  test.runIf(row.reportedAt.length > 1)(
    'is taken once where it is reported in two places, the larger',
    () => {
      fc.assert(
        fc.property(uses, uses, (left, right) => {
          const [first = '', second = ''] = row.reportedAt
          const usage = mergeReports(reportAt(first, left), reportAt(second, right))
          expect(countFor(row, { usage })).toEqual({ [name]: Math.max(left, right) * unitsPerUse })
        }),
      )
    },
  )

  test.runIf(row.evidence !== undefined)('is counted by the answer where the vendor reports nothing', () => {
    fc.assert(
      fc.property(uses, (count) => {
        const evidence = { [row.evidence ?? '']: count }
        expect(countFor(row, { evidence })).toEqual({ [name]: count * unitsPerUse })
      }),
    )
  })

  test('is counted by no invalid report', () => {
    for (const path of row.reportedAt)
      for (const count of [-1, 0.5, Number.NaN, 'many', null, {}, [3]])
        expect(countFor(row, { usage: reportAt(path, count) })).toEqual(
          isAlways ? { [name]: unitsPerUse } : {},
        )
  })
})

function mergeReports(left: unknown, right: unknown): unknown {
  if (typeof left !== 'object' || typeof right !== 'object') return left
  const merged: Record<string, unknown> = { ...left }
  for (const [name, value] of Object.entries(right ?? {}))
    merged[name] = name in merged ? mergeReports(merged[name], value) : value
  return merged
}

it('a vendor takes no fee twice for what it reports once', () => {
  const usage = {
    server_tool_use: { web_search_requests: 4 },
    server_side_tool_usage_details: { web_search_calls: 4 },
  }
  for (const provider of ['openrouter', 'openai', 'anthropic', 'vertex', 'xai', 'custom', 'newapi'])
    for (const model of ['x/m', 'openai/gpt-5', 'claude-sonnet-5']) {
      const rows = listFeeRows(provider)
      const counts = countFees(rows, [], report({ usage, evidence: { web_search: 4 }, model }))
      expect(Object.keys(counts), `${provider} ${model}`).toHaveLength(1)
    }
})

it('uses that no row of the vendor explains are kept under their own name', () => {
  const evidence = { x_search: 2, code_execution: 1 }
  expect(countFees(listFeeRows('newapi'), [], report({ evidence }))).toEqual({
    x_search: 2,
    anthropic_code_execution: 1,
  })
  expect(countFees(listFeeRows('anthropic'), [], report({ evidence: { google_maps: 1 } }))).toEqual({
    google_maps: 1,
  })
})

it.each([
  ['a tool of another name', { tools: [{ type: 'web_search_tool' }] }],
  ['a function of the caller', { tools: [{ type: 'function', function: { name: 'web_search' } }] }],
  ['a search that is off', { body: { enable_search: false, search_parameters: { mode: 'off' } } }],
  ['a plugin that is off', { body: { plugins: [{ id: 'web', enabled: false }] } }],
  ['a shell of the caller', { tools: [{ type: 'shell', environment: { type: 'local' } }] }],
  ['a member that is null', { body: { web_search_options: null, plugins: null } }],
])('%s asks for no fee', (_name, parts) => {
  for (const provider of ['openai', 'xai', 'qwen', 'openrouter', 'anthropic', 'zhipu'])
    expect(listRequestedFees(listFeeRows(provider), ask(parts)), provider).toEqual([])
})

it.each([
  ['max_uses of a tool', 'anthropic', { tools: [{ type: 'web_search_20250305', max_uses: 3 }] }, 3],
  ['max_tool_calls', 'openai', { tools: [{ type: 'web_search' }], body: { max_tool_calls: 2 } }, 2],
  ['max_search_results', 'xai', { body: { search_parameters: { max_search_results: 50 } } }, 50],
  ['results of a plugin', 'openrouter', { body: { plugins: [{ id: 'web', max_results: 4 }] } }, 40],
  ['no limit', 'openai', { tools: [{ type: 'web_search' }] }, 10],
  ['a limit without sense', 'openai', { tools: [{ type: 'web_search', max_uses: -1 }] }, 10],
])('%s bounds the most units', (_name, provider, parts, most) => {
  expect(listRequestedFees(listFeeRows(provider), ask(parts)).map((each) => each.most)).toEqual([most])
})

it.each([
  ['1g', 1],
  ['4g', 4],
  ['16G', 16],
  ['64g', 64],
  ['9000g', 64],
  [undefined, 1],
])('a container of %s counts as %i', (memory, units) => {
  const tools = [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: memory } }]
  const [row] = listFeeRows('openai').filter((each) => each.name === 'code_interpreter')
  expect(row && countFor(row, { evidence: { code_interpreter: 2 } }, ask({ tools }))).toEqual({
    code_interpreter: 2 * units,
  })
})
