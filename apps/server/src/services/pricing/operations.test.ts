import { providerById } from '@tollgate/providers/index'
import type { Operation } from '@tollgate/providers/provider'
import { describe, expect, it } from 'vitest'
import { endpointTypesOf, servedOperations } from './operations.ts'

const everything = new Set<Operation>([
  'chat',
  'completions',
  'embeddings',
  'moderations',
  'images',
  'speech',
  'transcriptions',
  'rerank',
])

const offered = { operations: everything, tasks: new Set(['video', 'mj', 'suno']), isForTasksAlone: false }

describe('operations of a model', () => {
  it.each([
    ['gpt-4o', ['chat', 'completions']],
    ['text-embedding-3-small', ['embeddings']],
    ['bge-m3', ['embeddings']],
    ['omni-moderation-latest', ['moderations']],
    ['whisper-1', ['transcriptions']],
    ['tts-1-hd', ['speech']],
    ['gpt-image-1', ['images']],
    ['@cf/black-forest-labs/flux-1-schnell', ['images']],
    ['doubao-seedream-4-0-250828', ['images']],
    ['qwen-image-edit', ['images']],
    ['gemini-3-pro-image-preview', ['chat', 'completions', 'images']],
    ['bge-reranker-v2-m3', ['rerank']],
    ['doubao-seedance-1-0-pro', ['videos']],
    ['sora-2', ['videos']],
    ['mj_imagine', ['midjourney']],
    ['swap_face', ['midjourney']],
    ['suno_music', ['suno']],
  ])('%s supports the right operations', (model, operations) => {
    expect(endpointTypesOf(model, offered)).toEqual(operations)
  })

  it('operations that the provider does not offer are left out', () => {
    const operations = new Set<Operation>(['chat'])
    expect(endpointTypesOf('text-embedding-3-small', { ...offered, operations })).toEqual([])
    expect(endpointTypesOf('sora-2', { ...offered, tasks: new Set<string>() })).toEqual([])
    const alone = { ...offered, isForTasksAlone: true }
    expect(endpointTypesOf('clip', alone)).toEqual(['videos'])
    expect(endpointTypesOf('pen', { ...alone, tasks: new Set(['mj']) })).toEqual(['midjourney'])
  })
})

it.each([
  ['gemini', 'imagen-4.0-generate-001', ['images']],
  [
    'gemini',
    'gemini-3-pro-image-preview',
    ['chat', 'responses', 'messages', 'generate', 'images', 'image-edits'],
  ],
  ['anthropic', 'claude-sonnet-4-20250514', ['chat', 'responses', 'messages', 'generate']],
  ['openai', 'gpt-4o', ['chat', 'completions', 'responses', 'messages', 'generate']],
  ['gemini', 'gemini-embedding-001', ['embeddings']],
  ['vertex', 'gemini-2.5-pro', ['chat', 'responses', 'messages', 'generate']],
])('a channel of %s offers %s with native and converted operations', (id, model, expected) => {
  const provider = providerById(id) ?? expect.fail(`${id} is a provider`)
  const operations = new Set(servedOperations(provider, model))
  expect(endpointTypesOf(model, { ...offered, operations })).toEqual(expected)
})
