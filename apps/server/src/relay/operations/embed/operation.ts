import { conversations } from '@tollgate/dialects/conversations'
import type { Operation } from '../operation.ts'
import { modelAction } from '../path-parts.ts'

/** https://ai.google.dev/api/embeddings */
export const embed: Operation = {
  name: 'embed',
  wire: 'embed',
  paths: [],
  match: (path) => {
    const { model, action } = modelAction(path) ?? {}
    const isEmbedding = action === 'embedContent' || action === 'batchEmbedContents'
    return isEmbedding ? { defaults: { pathModel: model } } : undefined
  },
  isModelInPath: true,
  dialect: () => conversations.generate.caller,
  sizes: 'input',
  isResendable: true,
}
