import { problem } from '@tollgate/kit/problem'
import type { Body } from '../quirks/body.ts'

/** The texts of a request, for vendors who take nothing else. */
export function textsOf({ input }: Body): readonly string[] {
  const texts: unknown = typeof input === 'string' ? [input] : input
  if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts
  throw problem('not_expressible', { feature: 'token numbers instead of text' })
}

/** An answer in the dialect; `tokens` as far as the vendor counts them. */
export function embeddingList(vectors: readonly unknown[], tokens: unknown): Record<string, unknown> {
  const isCounted = typeof tokens === 'number' && tokens > 0
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: '',
    ...(isCounted && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  }
}
