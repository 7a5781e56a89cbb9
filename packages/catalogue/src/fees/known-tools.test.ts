import { expect, it } from 'vitest'
import { feeRows } from './fee-rows.ts'
import { findUnknownTool, freeTools } from './known-tools.ts'

it.each([
  ['openai', { type: 'deep_crawl' }, 'deep_crawl'],
  ['xai', { type: 'image_edit_2027' }, 'image_edit_2027'],
  ['anthropic', { type: 'browser_20270101', name: 'browser' }, 'browser_20270101'],
  ['gemini', { weatherSearch: {} }, 'weatherSearch'],
  ['mistral', { type: 'news_search' }, 'news_search'],
  ['openai', { type: 'tool with a\nbreak' }, 'tool?with?a?break'],
  ['openai', { type: 'x'.repeat(90) }, 'x'.repeat(64)],
])('at %s the tool %j is one that nobody knows', (provider, tool, name) => {
  expect(findUnknownTool(provider, tool)).toBe(name)
})

it.each([
  ['openai', { type: 'function', function: { name: 'deep_crawl' } }],
  ['openai', { type: 'web_search_preview_2025_03_11' }],
  ['openai', { type: 'computer_use_preview' }],
  ['anthropic', { type: 'web_fetch_20250910' }],
  ['anthropic', { type: 'text_editor_20250728' }],
  ['anthropic', { name: 'own', input_schema: {} }],
  ['gemini', { functionDeclarations: [{}], url_context: {} }],
  ['gemini', { google_search: {} }],
  ['ollama', { type: 'deep_crawl' }],
  ['xinference', { anything: {} }],
])('at %s the tool %j is known', (provider, tool) => {
  expect(findUnknownTool(provider, tool)).toBeUndefined()
})

it('every tool of a row is known to its vendors, and every free tool has a source', () => {
  const providers = new Map([
    ['openai', 'openai'],
    ['anthropic', 'anthropic'],
    ['xai', 'xai'],
    ['google', 'gemini'],
  ])
  for (const { vendors, requests } of feeRows)
    for (const vendor of vendors)
      for (const { type, name } of requests) {
        const provider = providers.get(vendor)
        if (provider !== undefined && (type === 'tool' || type === 'hosted-tool'))
          expect(findUnknownTool(provider, { type: name })).toBeUndefined()
      }
  for (const { source, vendor } of freeTools) expect(source.url, vendor).toMatch(/^https:/)
})
