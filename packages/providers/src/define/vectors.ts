import { geminiUpstream } from '@tollgate/dialects/gemini/codec'
import { withModelNames } from '@tollgate/dialects/vectors/gemini'
import type { Outgoing, Endpoint, Upstream } from '../provider.ts'
import { onBody } from '../quirks/body.ts'
import { geminiModelUrl } from './conversations.ts'

/**
 * Embeddings with `embedContent`, or with `batchEmbedContents` for a list.
 * https://ai.google.dev/api/embeddings
 */
export function geminiVectors(): Endpoint {
  return {
    dialect: 'gemini',
    url: vectorsUrl,
    quirks: [onBody((body, { model }) => withModelNames(body, model))],
    readUsage: geminiUpstream.readUsage,
    streamOptions: false,
  }
}

function vectorsUrl(outgoing: Outgoing, upstream: Upstream): string {
  const isList = Array.isArray(outgoing.body['requests'])
  return geminiModelUrl(isList ? 'batchEmbedContents' : 'embedContent')(outgoing, upstream)
}
