import { isRecord, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import {
  idOf,
  progressOf,
  reasonOf,
  secondsOf,
  statusOf,
  type TaskAnswer,
  type TaskAsk,
  type TaskReply,
  type TaskUpdate,
} from './task.ts'
import { bearerOf, isRefusedBefore, NOTHING_YET, plainRequest, type TaskUpstream } from './upstream.ts'

const MINUTE_MS = 60_000

export const sunoProxy: TaskUpstream = {
  platform: 'suno',
  submitMs: MINUTE_MS,
  idsPerPoll: 50,
  headers: bearerOf,
  submit: plainRequest,
  readReply,
  poll: (tasks) => ({
    method: 'POST',
    path: '/suno/fetch',
    body: { ids: tasks.map(({ taskId }) => taskId) },
  }),
  readPoll: ({ status, body }) => {
    const isAnswer = status === 200 && isRecord(body) && body['code'] === 'success'
    if (!isAnswer || !Array.isArray(body['data'])) return undefined
    return recordsAt(body, 'data').flatMap((item) => updateOf(item) ?? [])
  },
}

function readReply(ask: TaskAsk, { status, body }: TaskAnswer): TaskReply {
  const taskId = idOf(body?.['data'])
  if (status === 200 && body?.['code'] === 'success' && taskId !== '') {
    return {
      type: 'accepted',
      taskId,
      isCharged: true,
      isKnown: false,
      update: {
        ...NOTHING_YET,
        detail: { properties: { input: ask.prompt }, data: null },
      },
      answer: { status, body },
    }
  }
  const reported = body === undefined ? undefined : textAt(body, 'code')
  const isFetchFault = status !== 200 || reported === undefined || reported === 'success'
  const code = isFetchFault ? 'fail_to_fetch_task' : reported
  const reason = reasonOf(body?.['message']) || `bad response status code ${status}`
  return {
    type: 'refused',
    reason,
    code,
    isRetryable: isRefusedBefore(status),
    isChannelDead: false,
    status: status === 200 ? 500 : status,
    answer: { code, message: reason, data: null },
    detail: { properties: { input: ask.prompt }, data: null },
  }
}

function updateOf(item: JsonObject): TaskUpdate | undefined {
  const taskId = idOf(item['task_id'])
  if (taskId === '') return undefined
  const failReason = reasonOf(item['fail_reason'])
  return {
    taskId,
    status: failReason === '' ? statusOf(item['status']) : 'FAILURE',
    progress: progressOf(item['progress']),
    failReason,
    startMs: secondsOf(item['start_time']),
    finishMs: secondsOf(item['finish_time']),
    detail: item['data'] === undefined || item['data'] === null ? {} : { data: item['data'] },
  }
}
