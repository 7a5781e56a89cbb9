import { recordAt } from '@tollgate/dialects/json'
import { embeddingList, textsOf } from '../define/embeddings.ts'
import { isTold, type Body } from '../quirks/body.ts'

/**
 * https://docs.cohere.com/reference/embed. The input type is a document, unless the client sets another one.
 */
export function writeEmbed(body: Body): Body {
  return {
    input_type: isTold(body, 'input_type') ? body['input_type'] : 'search_document',
    model: body['model'],
    texts: textsOf(body),
    embedding_types: ['float'],
    output_dimension: isTold(body, 'dimensions') ? body['dimensions'] : undefined,
  }
}

export function readEmbed(answer: Record<string, unknown>): Record<string, unknown> {
  const { float: vectors } = recordAt(answer, 'embeddings') ?? {}
  if (!Array.isArray(vectors)) return answer
  const billed = recordAt(recordAt(answer, 'meta') ?? {}, 'billed_units') ?? {}
  return embeddingList(vectors, billed['input_tokens'])
}
