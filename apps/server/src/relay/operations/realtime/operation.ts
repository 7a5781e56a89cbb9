import type { Operation } from '../operation.ts'

/** https://platform.openai.com/docs/api-reference/realtime */
export const realtime: Operation = {
  name: 'realtime',
  wire: 'realtime',
  paths: [],
  sessionPath: '/v1/realtime',
  sizes: 'session',
}
