import { readReply, updateOf } from './midjourney-reply.ts'
import { plainRequest, type TaskUpstream } from './upstream.ts'

const MINUTE_MS = 60_000

export const midjourneyProxy: TaskUpstream = {
  platform: 'mj',
  submitMs: MINUTE_MS,
  idsPerPoll: 100,
  headers: (key) => ({ 'mj-api-secret': key }),
  submit: plainRequest,
  readReply,
  poll: (tasks) => ({
    method: 'POST',
    path: '/mj/task/list-by-condition',
    body: { ids: tasks.map(({ taskId }) => taskId) },
  }),
  readPoll: ({ status, body }) =>
    status === 200 && Array.isArray(body) ? body.flatMap((item) => updateOf(item) ?? []) : undefined,
}
