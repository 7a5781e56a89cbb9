import { checkedTaskMembers } from '@tollgate/dialects/checked/task-members'
import { isRecord, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem, type Problem, type ProblemCode } from '@tollgate/problems/problem'
import {
  idOf,
  progressOf,
  reasonOf,
  secondsOf,
  shownTask,
  statusOf,
  type SubmitRoute,
  type TaskAnswer,
  type TaskAnswerOut,
  type TaskAsk,
  type TaskUpdate,
  type TaskPlatform,
  type TaskReply,
  type TaskApi,
  type TaskRoute,
  type TaskView,
} from './platform.ts'
import { bearerOf, isRefusedBefore, NOTHING_YET, plainRequest, type TaskUpstream } from './upstream.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const DEFAULT_VOICE = 'chirp-v3-0'

/** Songs and lyrics through a Suno proxy. */
export const suno: TaskPlatform = {
  id: 'suno',
  lifeMs: DAY_MS,
  hidesIds: false,
  judged: checkedTaskMembers.suno,
  route,
  readAsk,
  showFetched: (task) => ({ code: 'success', message: '', data: show(task) }),
  showList: (tasks) => ({ code: 'success', message: '', data: tasks.map(show) }),
  refuse,
}

export const sunoProxy: TaskUpstream = {
  platform: suno.id,
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

function route({ method, path }: TaskApi): TaskRoute | undefined {
  if (method === 'POST' && path === '/suno/fetch') return { type: 'list' }
  const taskId = method === 'GET' ? /^\/suno\/fetch\/([^/]+)$/.exec(path)?.[1] : undefined
  if (taskId !== undefined) return { type: 'fetch', taskId }
  const verb = method === 'POST' ? /^\/suno\/submit\/([\w-]+)$/.exec(path)?.[1]?.toUpperCase() : undefined
  return verb === undefined ? undefined : { type: 'submit', verb, path: `/suno/submit/${verb}` }
}

function readAsk({ verb, path }: SubmitRoute, body: JsonObject): TaskAsk {
  if (verb !== 'MUSIC' && verb !== 'LYRICS') throw problem('unknown_action', { action: verb })
  const prompt = textAt(body, 'prompt')
  if (verb === 'LYRICS' && prompt === undefined) throw problem('prompt_is_required')
  const origin = textAt(body, 'task_id')
  if (textAt(body, 'continue_clip_id') !== undefined && origin === undefined)
    throw problem('task_id_is_required')
  const isSilent = verb === 'MUSIC' && textAt(body, 'mv') === undefined
  return {
    action: verb,
    model: `suno_${verb.toLowerCase()}`,
    work: { type: 'plain', path, body: isSilent ? { ...body, mv: DEFAULT_VOICE } : body },
    prompt: prompt ?? textAt(body, 'gpt_description_prompt') ?? '',
    ...(origin !== undefined && { origin: { taskId: origin, mustHaveSucceeded: false } }),
  }
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

function show(task: TaskView): JsonObject {
  return { ...shownTask(task), data: task.detail['data'] ?? null }
}

/** Suno's names for error codes that other platforms name differently. */
const NAMES: Partial<Record<ProblemCode, string>> = {
  prompt_is_required: 'prompt_empty',
  unknown_action: 'invalid_action',
  task_not_found: 'task_not_exist',
  task_channel_disabled: 'task_channel_disable',
  insufficient_user_quota: 'quota_not_enough',
  pre_consume_token_quota_failed: 'quota_not_enough',
}

function refuse({ code, definition, parameters }: Problem, text: string): TaskAnswerOut {
  const data = code === 'task_outcome_unknown' ? (parameters['task'] ?? null) : null
  return { status: definition.status, body: { code: NAMES[code] ?? code, message: text, data } }
}
