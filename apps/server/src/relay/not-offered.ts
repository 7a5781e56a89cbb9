/**
 * Parts of the vendors' APIs that this gateway does not offer, answered with 501 to a caller with a valid token, in
 * the form of the caller's library. Sources, read on 2026-11-29: https://platform.openai.com/docs/api-reference,
 * https://docs.anthropic.com/en/api, https://ai.google.dev/api, https://docs.cohere.com/reference.
 */
const rows: readonly (readonly [methods: RegExp, paths: RegExp])[] = [
  [/^(?:GET|POST)$/, /^\/v1\/realtime$/],
  [/^(?:GET|POST|DELETE)$/, /^\/v1\/files(?:\/[^/]+(?:\/content)?)?$/],
  [/^POST$/, /^\/v1\/uploads(?:\/[^/]+\/(?:parts|complete|cancel))?$/],
  [/^(?:GET|POST)$/, /^\/v1\/batches(?:\/[^/]+(?:\/cancel)?)?$/],
  [
    /^(?:GET|POST)$/,
    /^\/v1\/(?:fine-tunes|fine_tuning\/jobs)(?:\/[^/]+(?:\/(?:cancel|events|checkpoints))?)?$/,
  ],
  [
    /^(?:GET|POST|DELETE)$/,
    /^\/v1\/(?:assistants|threads|vector_stores|containers|conversations|evals)(?:\/.+)?$/,
  ],
  [/^(?:GET|POST|DELETE)$/, /^\/v1\/responses\/[^/]+(?:\/(?:cancel|input_items))?$/],
  [/^(?:GET|POST|DELETE)$/, /^\/v1\/chat\/completions\/[^/]+(?:\/messages)?$/],
  [/^DELETE$/, /^\/v1\/models\/.+$/],
  [/^(?:GET|POST|DELETE)$/, /^\/v1\/messages\/batches(?:\/[^/]+(?:\/(?:cancel|results))?)?$/],
  [/^(?:GET|POST|DELETE)$/, /^\/v1\/(?:skills|agents|sessions|environments)(?:\/.+)?$/],
  [/^(?:GET|POST|PUT|PATCH|DELETE)$/, /^(?:\/upload)?\/v1beta\/files(?:\/.+)?$/],
  [
    /^(?:GET|POST|PATCH|DELETE)$/,
    /^\/v1beta\/(?:cachedContents|batches|fileSearchStores|tunedModels|corpora|interactions|operations)(?:[/:].+)?$/,
  ],
  [
    /^POST$/,
    /^\/v1beta\/models\/[^/]+:(?:batchGenerateContent|asyncBatchEmbedContent|predict|predictLongRunning)$/,
  ],
  [/^POST$/, /^\/v2\/(?:chat|embed)$/],
]

export function isNotOffered(method: string, path: string): boolean {
  return rows.some(([methods, paths]) => methods.test(method) && paths.test(path))
}

/** Whether a path belongs to one of them, whatever the method. */
export function isNotOfferedPath(path: string): boolean {
  return rows.some(([, paths]) => paths.test(path))
}
