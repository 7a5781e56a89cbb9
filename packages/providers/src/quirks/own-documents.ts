import { isRecord, recordsAt } from '@tollgate/dialects/json'

/**
 * Documents of a ranking as the dialect shows them, where a vendor has bare texts, or leaves out those that were asked
 * for: then the caller's own stand in, by their place.
 */
export function ownDocuments(
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
