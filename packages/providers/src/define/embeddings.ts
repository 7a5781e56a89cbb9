import { problem } from '@tollgate/problems/problem'
import type { Body } from '../quirks/body.ts'

/** Returns the input texts of a request, for vendors that embed nothing but text. */
export function textsOf({ input }: Body): readonly string[] {
  const texts: unknown = typeof input === 'string' ? [input] : input
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts
  throw problem('not_expressible', { feature: 'token numbers instead of text' })
}

/** Builds a response in the OpenAI format; `tokens` is the count of the vendor, if it reports one. */
export function embeddingList(vectors: readonly unknown[], tokens: unknown): Record<string, unknown> {
  const isCounted = typeof tokens === 'number' && tokens > 0
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: '',
    usage: isCounted ? { prompt_tokens: tokens, total_tokens: tokens } : undefined,
  }
}
