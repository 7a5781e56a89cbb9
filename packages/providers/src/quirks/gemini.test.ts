import { describe, expect, it } from 'vitest'
import { defaultChannelSettings } from '../channel-settings.ts'
import { defaultGeminiOptions, safetySettings, versionFor, type GeminiOptions } from '../gemini-options.ts'
import type { Outgoing, Upstream } from '../provider.ts'
import { geminiImageOutput } from './gemini-image-output.ts'
import { geminiSafety } from './gemini-safety.ts'
import { geminiThinking } from './gemini-thinking.ts'

const upstream: Upstream = {
  channelId: 1,
  type: 24,
  baseUrl: '',
  key: '',
  other: '',
  organization: '',
  createdTime: 0,
  settings: defaultChannelSettings,
}

function outgoing(
  model: string,
  parts: Partial<Outgoing> & { options?: Partial<GeminiOptions> } = {},
): Outgoing {
  const { options, ...rest } = parts
  const gemini = { ...defaultGeminiOptions, hasThinkingSuffix: true, ...options }
  return {
    operation: 'generate',
    model,
    isStream: false,
    query: new URLSearchParams(),
    body: {},
    gemini,
    isConverted: true,
    ...rest,
  }
}

const limited = { body: { generationConfig: { maxOutputTokens: 1000 } } }

describe('thinking suffixes of Gemini models', () => {
  it.each([
    [
      'gemini-2.5-flash-thinking',
      limited,
      'gemini-2.5-flash',
      { includeThoughts: true, thinkingBudget: 600 },
    ],
    ['gemini-2.5-flash-thinking', {}, 'gemini-2.5-flash', { includeThoughts: true, thinkingBudget: 24_576 }],
    [
      'gemini-2.5-flash-thinking-2048',
      limited,
      'gemini-2.5-flash',
      { includeThoughts: true, thinkingBudget: 2048 },
    ],
    [
      'gemini-2.5-flash-lite-thinking-1',
      {},
      'gemini-2.5-flash-lite',
      { includeThoughts: true, thinkingBudget: 512 },
    ],
    ['gemini-2.5-flash-nothinking', {}, 'gemini-2.5-flash', { includeThoughts: false, thinkingBudget: 0 }],
    ['gemini-2.5-pro-nothinking', {}, 'gemini-2.5-pro', { includeThoughts: false, thinkingBudget: 128 }],
    ['gemini-3-pro-preview-low', {}, 'gemini-3-pro-preview', { includeThoughts: true, thinkingLevel: 'low' }],
    [
      'gemini-3-pro-preview-thinking',
      {},
      'gemini-3-pro-preview',
      { includeThoughts: true, thinkingLevel: 'high' },
    ],
    // The lowest level that each model supports.
    [
      'gemini-3-pro-preview-nothinking',
      {},
      'gemini-3-pro-preview',
      { includeThoughts: false, thinkingLevel: 'low' },
    ],
    ['gemini-3.5-flash-minimal', {}, 'gemini-3.5-flash', { thinkingLevel: 'minimal' }],
    ['gemini-3.8-flash-minimal', {}, 'gemini-3.8-flash', { thinkingLevel: 'low' }],
  ])('%s sets the thinking configuration', (model, parts, bare, thinkingConfig) => {
    const changed = geminiThinking(outgoing(model, parts), upstream)
    expect(changed.model).toBe(bare)
    expect(changed.body['generationConfig']).toMatchObject({ thinkingConfig })
  })

  it('unlike new-api: are applied also when `thinkingModels` lists the model without its suffix', () => {
    const options = { thinkingModels: ['gemini-2.5-flash'] }
    const changed = geminiThinking(outgoing('gemini-2.5-flash-thinking', { options }), upstream)
    expect(changed.model).toBe('gemini-2.5-flash')
  })

  it('are removed, but do not override thinking parameters in the body', () => {
    const body = { generation_config: { thinking_config: { thinking_budget: 1 } } }
    const changed = geminiThinking(outgoing('gemini-2.5-flash-thinking', { body }), upstream)
    expect(changed.model).toBe('gemini-2.5-flash')
    expect(changed.body).toBe(body)
  })

  it.each([
    ['gemini-2.5-flash-thinking', { hasThinkingSuffix: false }],
    ['gemini-2.5-flash-low', {}],
    ['gemini-2.0-flash-thinking-exp', {}],
    ['gemma-3-27b-it', {}],
  ])('are not recognised in %s with %o', (model, options) => {
    const given = outgoing(model, { options })
    expect(geminiThinking(given, upstream)).toBe(given)
  })

  it('models in `thinkingModels` return their thoughts when the request was converted', () => {
    const options = { thinkingModels: ['gemini-2.5-flash'] }
    const changed = geminiThinking(outgoing('gemini-2.5-flash', { options }), upstream)
    expect(changed.body).toEqual({ generationConfig: { thinkingConfig: { includeThoughts: true } } })
    const own = outgoing('gemini-2.5-flash', { options, isConverted: false })
    expect(geminiThinking(own, upstream)).toBe(own)
  })
})

describe('safety settings', () => {
  it("are the operator's, for all documented categories and those they listed", () => {
    const safety = {
      default: 'BLOCK_LOW',
      HARM_CATEGORY_HARASSMENT: 'OFF',
      HARM_CATEGORY_CIVIC_INTEGRITY: 'OFF',
    }
    expect(safetySettings({ ...defaultGeminiOptions, safety })).toEqual([
      { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' },
      { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_LOW' },
      { category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'BLOCK_LOW' },
      { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_LOW' },
      { category: 'HARM_CATEGORY_CIVIC_INTEGRITY', threshold: 'OFF' },
    ])
  })

  it('are not added for clients of the Gemini API, whose bytes stay unchanged', () => {
    const own = outgoing('gemini-2.5-flash', { isConverted: false })
    expect(geminiSafety(own, upstream)).toBe(own)
    expect(geminiSafety(outgoing('gemini-2.5-flash'), upstream).body['safetySettings']).toHaveLength(4)
  })
})

it('models in `drawingModels` get image output unless the client chose the modalities', () => {
  const options = { drawingModels: ['gemini-2.5-flash-image'] }
  const drawn = geminiImageOutput(outgoing('gemini-2.5-flash-image', { options }), upstream)
  expect(drawn.body).toEqual({ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } })
  const reported = outgoing('gemini-2.5-flash-image', {
    options,
    body: { generationConfig: { responseModalities: ['TEXT'] } },
  })
  expect(geminiImageOutput(reported, upstream)).toBe(reported)
  const other = outgoing('gemini-2.5-flash', { options })
  expect(geminiImageOutput(other, upstream)).toBe(other)
})

it('the API version depends on the model', () => {
  const options = { ...defaultGeminiOptions, versions: { default: 'v1', 'gemini-1.0-pro': 'v1alpha' } }
  expect([versionFor(options, 'gemini-1.0-pro'), versionFor(options, 'x')]).toEqual(['v1alpha', 'v1'])
  expect(versionFor({ ...options, versions: {} }, 'x')).toBe('v1beta')
})
