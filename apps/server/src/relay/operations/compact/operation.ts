import type { Operation } from '../operation.ts'

/** https://platform.openai.com/docs/api-reference/responses/compact */
export const compact: Operation = {
  name: 'compact',
  wire: 'compact',
  paths: [{ path: '/v1/responses/compact' }],
  sizes: 'text',
  isResendable: true,
}
