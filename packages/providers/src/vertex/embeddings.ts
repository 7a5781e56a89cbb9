import { recordAt, recordsAt } from '@tollgate/dialects/json'
import { embeddingList, textsOf } from '../define/embeddings.ts'
import { isTold, type Body } from '../quirks/body.ts'

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
export function writeInstances(body: Body): Body {
  return {
    instances: textsOf(body).map((content) => ({ content })),
    parameters: isTold(body, 'dimensions') ? { outputDimensionality: body['dimensions'] } : undefined,
  }
}

/** The vendor reports the tokens of each text separately. */
export function readPredictions(answer: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(answer['predictions'])) return answer
  const embeddings = recordsAt(answer, 'predictions').map((each) => recordAt(each, 'embeddings') ?? {})
  const tokens = embeddings
    .map((embedding) => recordAt(embedding, 'statistics')?.['token_count'])
    .reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0)
  return embeddingList(
    embeddings.map(({ values }) => values),
    tokens,
  )
}
