import type { Operation } from '../operation.ts'

/** https://docs.cohere.com/reference/rerank */
export const rerank: Operation = {
  name: 'rerank',
  wire: 'rerank',
  // The second is the one of Cohere's `ClientV2`; request and response are those of the first.
  paths: [{ path: '/v1/rerank' }, { path: '/v2/rerank', canonical: '/v1/rerank' }],
  sizes: 'input',
  isResendable: true,
  probe: {
    isFor: (model) => /rerank/i.test(model),
    body: ({ asked }) => ({ model: asked, query: 'hello', documents: ['hello world'] }),
  },
}
