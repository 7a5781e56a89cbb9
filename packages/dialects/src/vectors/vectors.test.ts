import { Problem } from '@tollgate/problems/problem'
import { describe, expect, it, test } from 'vitest'
import { readGeminiUsage } from '../gemini/usage.ts'
import { readOpenAiUsage } from '../openai-usage.ts'
import { withModelNames } from './gemini.ts'
import { convertVectors, readVectors, readEmbeddingRequest, type VectorRules } from './pair.ts'

const context = { model: 'm', inputTokensCounted: 7 }
const openai = {
  object: 'list',
  data: [{ index: 0, embedding: [0.5, -1] }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
}

describe('an embedding request', () => {
  it('is sent to Gemini with all its inputs, unlike in new-api, which sends only the first', () => {
    const body = { model: 'm', input: ['a', 'b'], dimensions: 64, encoding_format: 'base64', user: 'u' }
    expect(convertVectors({ asked: 'embeddings', endpoint: 'embed', body, model: 'g' })).toEqual({
      requests: ['a', 'b'].map((text) => ({
        model: 'models/g',
        content: { parts: [{ text }] },
        outputDimensionality: 64,
      })),
    })
  })

  it.each([
    { content: { parts: [{ text: 'a' }, { text: 'b' }] }, outputDimensionality: 8 },
    { requests: [{ content: { parts: [{ text: 'a\nb' }] }, output_dimensionality: 8 }] },
  ])('of a Gemini caller reaches upstreams of the other format: %o', (body) => {
    const written = convertVectors({ asked: 'embed', endpoint: 'embeddings', body, model: 'o' })
    expect(written).toEqual({ model: 'o', input: ['a\nb'], dimensions: 8 })
  })

  it.each([
    { asked: 'embeddings', endpoint: 'embed', body: { input: [1, 2, 3] } },
    { asked: 'embed', endpoint: 'embeddings', body: { content: { parts: [{ inlineData: { data: '' } }] } } },
    {
      asked: 'embed',
      endpoint: 'embeddings',
      body: {
        requests: [1, 2].map((outputDimensionality) => ({
          content: { parts: [{ text: 'a' }] },
          outputDimensionality,
        })),
      },
    },
  ] as const)('is rejected if the other format cannot express it: %o', ({ asked, endpoint, body }) => {
    expect(() => convertVectors({ asked, endpoint, body, model: 'm' })).toThrow(Problem)
  })

  it('gets the model of the URL, in every request of a list', () => {
    expect(withModelNames({ content: {} }, 'g')).toEqual({ content: {} })
    expect(withModelNames({ model: 'models/x', content: {} }, 'g')).toEqual({
      model: 'models/g',
      content: {},
    })
    const list = { requests: [{ model: 'models/cheap', content: {} }, { content: {} }] }
    const named = { model: 'models/g', content: {} }
    expect(withModelNames(list, 'g')).toEqual({ requests: [named, named] })
  })
})

const rulesOf = (
  parts: Pick<VectorRules, 'asked' | 'endpoint'>,
  asked: Record<string, unknown>,
): VectorRules => ({
  ...parts,
  readUsage: parts.endpoint === 'embed' ? readGeminiUsage : readOpenAiUsage,
  vectors: readEmbeddingRequest(parts.asked, asked),
  context,
})
const readAnswer = (answer: unknown, given: VectorRules) => {
  const { bytes, reading } = readVectors(Buffer.from(JSON.stringify(answer)), given)
  return { answer: JSON.parse(bytes.toString()), reading }
}

describe('an embedding response', () => {
  it('of Gemini becomes a list, with the local token count if none was reported', () => {
    const given = rulesOf({ asked: 'embeddings', endpoint: 'embed' }, { input: ['a', 'b'] })
    const { answer, reading } = readAnswer({ embeddings: [{ values: [1] }, { values: [2] }] }, given)
    expect(answer).toEqual({
      object: 'list',
      data: [1, 2].map((value, index) => ({ object: 'embedding', index, embedding: [value] })),
      model: 'm',
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
    expect(reading).toMatchObject({ usage: undefined, isComplete: true, hasOutput: true, error: undefined })
  })

  it('is encoded as base64 if the caller requested that', () => {
    const given = rulesOf(
      { asked: 'embeddings', endpoint: 'embed' },
      { input: 'a', encoding_format: 'base64' },
    )
    const { answer } = readAnswer({ embeddings: [{ values: [0.5, -1] }] }, given)
    expect(answer.data[0].embedding).toBe(Buffer.from(new Float32Array([0.5, -1]).buffer).toString('base64'))
  })

  it.each([
    [{ content: { parts: [{ text: 'a' }] } }, 'embedding', { values: [0.5, -1] }],
    [{ requests: [{ content: { parts: [{ text: 'a' }] } }] }, 'embeddings', [{ values: [0.5, -1] }]],
  ] as const)('reaches a Gemini caller in the requested form: %o', (asked, name, values) => {
    const { answer, reading } = readAnswer(openai, rulesOf({ asked: 'embed', endpoint: 'embeddings' }, asked))
    expect(answer).toMatchObject({ [name]: values, usageMetadata: { promptTokenCount: 3 } })
    expect(reading.usage).toMatchObject({ inputText: 3 })
  })

  it.each([
    ['an error inside a 200', { error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } }],
    ['nothing', {}],
    ['a text where numbers belong', { embeddings: [{ values: 'x' }] }],
    ['fewer vectors than texts', { embeddings: [{ values: [1] }] }],
  ])('that is %s is an error', (_what, answer) => {
    const given = rulesOf({ asked: 'embeddings', endpoint: 'embed' }, { input: ['a', 'b'] })
    expect(readAnswer(answer, given).reading).toMatchObject({
      isComplete: false,
      error: { message: expect.any(String) },
    })
  })
})

const adjustAnswer = (answer: Record<string, unknown>) => ({ data: [{ embedding: answer['vector'] }] })
const errorInside = (answer: Readonly<Record<string, unknown>>) => String(answer['fault'])

test('deviating embedding responses are adjusted, and their errors detected, by the provider', () => {
  const given = rulesOf({ asked: 'embed', endpoint: 'embeddings' }, { content: { parts: [{ text: 'a' }] } })
  expect(readAnswer({ vector: [7] }, { ...given, adjustAnswer }).answer).toMatchObject({
    embedding: { values: [7] },
  })
  expect(readAnswer({ fault: 'no' }, { ...given, errorInside }).reading.error?.message).toBe('no')
})

test('embedding responses pass unchanged if both sides use the same format', () => {
  const bytes = Buffer.from('{"embedding": {"values":[1.0]}, "x_new": 1}')
  const rules = { asked: 'embed', endpoint: 'embed', readUsage: readGeminiUsage, context } as const
  expect(readVectors(bytes, rules).bytes).toBe(bytes)
})
