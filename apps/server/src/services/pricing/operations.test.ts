import type { Operation } from '@tollgate/providers/provider'
import { describe, expect, it } from 'vitest'
import { operationsOf } from './operations.ts'

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

describe('operations of a model', () => {
  it.each([
    ['gpt-4o', ['chat', 'completions']],
    ['text-embedding-3-small', ['embeddings']],
    ['bge-m3', ['embeddings']],
    ['omni-moderation-latest', ['moderations']],
    ['whisper-1', ['transcriptions']],
    ['tts-1-hd', ['speech']],
    ['gpt-image-1', ['images']],
    ['bge-reranker-v2-m3', ['rerank']],
  ])('%s', (model, operations) => {
    expect(operationsOf(model, everything)).toEqual(operations)
  })

  it('are only what a provider offers', () => {
    expect(operationsOf('text-embedding-3-small', new Set<Operation>(['chat']))).toEqual([])
  })
})
