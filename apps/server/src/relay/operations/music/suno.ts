import { checkedTaskMembers } from '@tollgate/dialects/checked/members'
import { textAt, type JsonObject } from '@tollgate/dialects/json'
import { problem, type Problem, type ProblemCode } from '@tollgate/problems/problem'
import type { TaskAnswerOut, TaskAsk } from '@tollgate/providers/tasks/task'
import {
  shownTask,
  type SubmitRoute,
  type TaskApi,
  type TaskRequestLine,
  type TaskRoute,
  type TaskView,
} from '../task-api.ts'

const DEFAULT_VOICE = 'chirp-v3-0'

/** https://github.com/Suno-API/Suno-API */
export const suno: TaskApi = {
  judged: checkedTaskMembers.suno,
  route,
  readAsk,
  showFetched: (task) => ({ code: 'success', message: '', data: show(task) }),
  showList: (tasks) => ({ code: 'success', message: '', data: tasks.map(show) }),
  refuse,
}

function route({ method, path }: TaskRequestLine): TaskRoute | undefined {
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
