import type { Operation } from '../operation.ts'

/** https://docs.cohere.com/reference/rerank */
export const rerank: Operation = {
  name: 'rerank',
  wire: 'rerank',
  paths: [{ path: '/v1/rerank' }],
  sizes: 'input',
  probe: {
    isFor: (model) => /rerank/i.test(model),
    body: ({ asked }) => ({ model: asked, query: 'hello', documents: ['hello world'] }),
  },
}
