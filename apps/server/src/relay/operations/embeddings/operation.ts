import { decodedUri } from '@tollgate/kit/decoded-uri'
import type { Operation } from '../operation.ts'

const PATH = '/v1/embeddings'
const engine = /^\/v1\/engines\/(.+)\/embeddings$/

/** https://platform.openai.com/docs/api-reference/embeddings */
export const embeddings: Operation = {
  name: 'embeddings',
  wire: 'embeddings',
  paths: [{ path: PATH }],
  match: (path) => {
    const model = engine.exec(path)?.[1]
    return model === undefined ? undefined : { defaults: { pathModel: decodedUri(model) }, canonical: PATH }
  },
  sizes: 'input',
  isResendable: true,
  probe: {
    isFor: (model) =>
      !/rerank/i.test(model) && (/embed/i.test(model) || model.startsWith('m3e') || model.includes('bge-')),
    body: ({ asked }) => ({ model: asked, input: ['hello world'] }),
  },
}
