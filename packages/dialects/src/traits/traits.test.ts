import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nearestEffort } from './efforts.ts'
import { writeTraits } from './fields.ts'
import { traitLineOf, traitsOf } from './lookup.ts'
import { traitsWith, invalidTrait } from './override.ts'
import { plainName } from '@tollgate/catalogue/names/plain-name'
import { modelReference } from './reference.ts'

describe('the traits of a model name', () => {
  it.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4.5'],
    ['anthropic.claude-opus-4-7-v1:0', 'claude-opus-4.7'],
    ['global.anthropic.claude-opus-5', 'claude-opus-5.0'],
    ['anthropic/claude-3.7-sonnet:thinking', 'claude-sonnet-3.7'],
    ['anthropic/claude-4.6-opus', 'claude-opus-4.6'],
    ['claude-opus-4-5@20251101', 'claude-opus-4.5'],
    ['claude-3-opus-20240229', 'claude-opus-3.0'],
    ['claude-sonnet-4-20250514-thinking', 'claude-sonnet-4.0'],
    ['claude-fable-5-2', 'claude-fable-5.2'],
    ['claude-mythos-preview', 'claude-mythos-preview'],
    ['models/gemini-3-pro-preview', 'gemini-3-pro-preview'],
    ['openai/gpt-5:online', 'gpt-5'],
    ['ft:gpt-4o-2024-08-06:mine::abc', 'gpt-4o-2024-08-06'],
    ['GPT-4.1', 'gpt-4.1'],
  ])('are looked up with %s shortened to %s', (model, name) => {
    expect(plainName(model)).toBe(name)
  })

  it.each([
    ['claude-opus-4-6', undefined],
    ['claude-opus-4-7', ['temperature', 'top_p', 'top_k']],
    ['claude-sonnet-5', ['temperature', 'top_p', 'top_k']],
    ['claude-haiku-5-5', ['temperature', 'top_p', 'top_k']],
    ['claude-fable-5-2', ['temperature', 'top_p', 'top_k']],
    ['claude-mythos-5', ['temperature', 'top_p', 'top_k']],
    ['claude-of-tomorrow', ['temperature', 'top_p', 'top_k']],
  ])('of %s contain the sampling members it rejects: %j', (model, refuses) => {
    expect(traitsOf(model).refuses).toEqual(refuses)
  })

  it.each([
    ['claude-3-5-sonnet-20241022', false, false, undefined],
    ['claude-3-7-sonnet-20250219', false, { min: 1024, max: 128_000 }, true],
    ['claude-opus-4-6', true, { min: 1024, max: 128_000 }, true],
    ['claude-opus-4-7', true, false, true],
    ['claude-opus-5', true, false, true],
    ['claude-haiku-5-5', true, false, true],
    ['claude-opus-5-5', true, false, false],
    ['claude-sonnet-5-5', true, false, false],
    ['claude-fable-5', true, false, false],
    ['claude-opus-6', true, false, false],
  ])('of %s describe its thinking', (model, adaptiveThinking, thinkingBudget, thinkingOff) => {
    expect(traitsOf(model)).toMatchObject({ adaptiveThinking, thinkingBudget })
    expect(traitsOf(model).thinkingOff).toBe(thinkingOff)
  })

  it.each([
    ['o1-pro', ['everything']],
    ['gpt-5.3-codex', ['everything']],
    ['gpt-5.1-codex-max', ['everything']],
    ['gpt-5.2-pro-2025-12-11', ['everything']],
    ['gpt-6-pro', ['everything']],
    ['o4-mini-deep-research', ['everything']],
    ['gpt-5.2', ['search']],
    ['gpt-5.5', ['tools-with-effort', 'search']],
    ['gpt-5.6-sol', ['tools', 'max-effort', 'search']],
    ['gpt-6.1-sol', ['tools', 'max-effort', 'search']],
    ['gpt-7', ['tools', 'max-effort', 'search']],
    ['gpt-4o', ['search']],
    ['gpt-4o-search-preview', []],
    ['llama-4', undefined],
  ])('of %s list the requests that need Responses: %j', (model, responsesFor) => {
    expect(traitsOf(model).responsesFor).toEqual(responsesFor)
  })

  it.each([
    ['gpt-5', ['minimal', 'low', 'medium', 'high']],
    ['gpt-54', ['none', 'low', 'medium', 'high', 'xhigh']],
    ['gpt-35-turbo', []],
    ['gpt-5.6', ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
    ['gpt-6-astra', ['low', 'medium', 'high', 'xhigh', 'max']],
    ['o3-mini-high', ['low', 'medium', 'high']],
    ['gemini-3-pro-preview', ['low', 'high']],
    ['gemini-3.1-pro-preview', ['low', 'medium', 'high']],
    ['gemini-3.5-flash', ['minimal', 'low', 'medium', 'high']],
    ['gemini-3.8-flash', ['low', 'medium', 'high']],
    ['gemini-flash-latest', ['low', 'medium', 'high']],
  ])('of %s list its efforts: %j', (model, efforts) => {
    expect(traitsOf(model).efforts).toEqual(efforts)
  })

  it.each(['my-model', 'llama-3.3-70b', 'qwen3-max', 'glm-4.6', 'o', 'chat', 'claudette', 'constructor', ''])(
    'are empty for a name of an unknown vendor: %j',
    (model) => {
      expect(traitsOf(model)).toEqual({})
    },
  )

  it('come from a line of the table that cites its source', () => {
    for (const model of ['gpt-6', 'claude-opus-5', 'gemini-3-pro', 'grok-3-mini'])
      expect(traitLineOf(model)?.source).toMatch(/^https:\/\//)
  })

  it.each(['a.'.repeat(5000), 'claude-' + '1-'.repeat(5000), 'gpt-5' + '.'.repeat(9000), '/'.repeat(9000)])(
    'are found for a very long name',
    (model) => {
      expect(traitsOf(model)).toBeTypeOf('object')
    },
  )
})

it('an effort is replaced by the nearest accepted one that does not exceed it, or else by the lowest', () => {
  expect(nearestEffort('max', ['low', 'high'])).toBe('high')
  expect(nearestEffort('medium', ['low', 'high'])).toBe('low')
  expect(nearestEffort('none', ['low', 'high'])).toBe('low')
  expect(nearestEffort('high', [])).toBeUndefined()
})

function fits(pattern: string, model: string): boolean {
  return traitsWith({ [pattern]: { reasons: true } })(model).reasons === true
}

describe('the model_traits setting of a channel', () => {
  const setting = {
    'gpt-6*': { refuses: ['top_p'], efforts: ['high', 'low'] },
    '*-sol': { responses_for: [] },
    'gpt-5': { from_table: false, system_role: 'system' },
  }

  it('overrides the table for names that match a pattern', () => {
    const found = traitsWith(setting)
    expect(found('GPT-6-sol')).toMatchObject({
      refuses: ['top_p'],
      efforts: ['low', 'high'],
      responsesFor: [],
      outputLimit: 'max_completion_tokens',
    })
    expect(found('gpt-6')).toMatchObject({ responsesFor: ['tools', 'max-effort', 'search'] })
    expect(found('gpt-5')).toEqual({ systemRole: 'system' })
    expect(found('gpt-4o')).toBe(traitsOf('gpt-4o'))
  })

  it('accepts wildcards anywhere in a name', () => {
    expect(fits('*', 'anything')).toBe(true)
    expect(fits('a*b*c', 'axxbyyc')).toBe(true)
    expect(fits('a*b*c', 'axxcyyb')).toBe(false)
    expect(fits('ab*ba', 'aba')).toBe(false)
    expect(fits('a*b', 'ab')).toBe(true)
    expect(fits('*a*', 'b'.repeat(10))).toBe(false)
  })

  it.each([
    ['gpt-6', { pattern: '', name: '' }],
    [{ '': {} }, { pattern: '', name: '' }],
    [{ 'gpt-6': 1 }, { pattern: 'gpt-6', name: '' }],
    [{ 'gpt-6': { colour: 1 } }, { pattern: 'gpt-6', name: 'colour' }],
    [{ 'gpt-6': { constructor: 1 } }, { pattern: 'gpt-6', name: 'constructor' }],
    [{ 'gpt-6': { refuses: ['messages'] } }, { pattern: 'gpt-6', name: 'refuses' }],
    [{ 'gpt-6': { efforts: 'high' } }, { pattern: 'gpt-6', name: 'efforts' }],
    [
      { 'gpt-6': { thinking_budget: { min: 9, max: 1 } } },
      { pattern: 'gpt-6', name: 'thinking_budget', values: 'false, {"min": 1024, "max": 32768}' },
    ],
    [{ 'gpt-6': { from_table: 'no' } }, { pattern: 'gpt-6', name: 'from_table', values: 'true, false' }],
  ])('reports the first invalid part: %j', (given, wrong) => {
    expect(invalidTrait(given)).toMatchObject(wrong)
    expect(traitsWith(given)('gpt-6')).toBeTypeOf('object')
  })

  it('accepts the form in which traits are written', () => {
    expect(invalidTrait(setting)).toBeUndefined()
    expect(invalidTrait(undefined)).toBeUndefined()
    for (const model of ['gpt-6', 'claude-opus-4-6', 'gemini-2.5-pro', 'gpt-4o'])
      expect(invalidTrait({ [model]: writeTraits(traitsOf(model)) })).toBeUndefined()
  })
})

const PAGE = new URL('../../../../docs/reference/models.md', import.meta.url)

it('the table matches docs/reference/models.md (`UPDATE_DOCS=1` rewrites the page)', () => {
  const page = modelReference()
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})
