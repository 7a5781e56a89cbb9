import type { Operation } from '../operation.ts'

/** https://platform.openai.com/docs/api-reference/moderations */
export const moderations: Operation = {
  name: 'moderations',
  wire: 'moderations',
  paths: [{ path: '/v1/moderations', defaults: { defaultModel: 'text-moderation-stable' } }],
  sizes: 'input',
  isResendable: true,
  probe: {
    isFor: (model) => /moderation/i.test(model),
    body: ({ asked }) => ({ model: asked, input: 'hello world' }),
  },
}
