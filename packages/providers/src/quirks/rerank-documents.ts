import { isRecord, recordsAt } from '@tollgate/dialects/json'

/**
 * Adds the documents to a rerank response in the expected form. If the vendor returns plain texts, they are
 * wrapped; if it leaves requested documents out, the client's own are inserted by index.
 */
export function rerankDocuments(
  answer: Record<string, unknown>,
  asked: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const { documents, return_documents: isShown } = asked
  if (isShown !== true || !Array.isArray(answer['results'])) return answer
  const own: readonly unknown[] = Array.isArray(documents) ? documents : []
  const results = recordsAt(answer, 'results').map((result) => ({
    ...result,
    document: shown(result['document'] || own[Number(result['index'])]),
  }))
  return { ...answer, results }
}

function shown(document: unknown): unknown {
  return isRecord(document) ? document : { text: document }
}
