import { checkedTaskMembers } from '@tollgate/dialects/checked/members'
import type { JsonObject } from '@tollgate/dialects/json'
import type { Problem, ProblemCode } from '@tollgate/problems/problem'
import { midjourneyAction, midjourneyModel } from '@tollgate/providers/tasks/midjourney-actions'
import { SATURATED, updateOf } from '@tollgate/providers/tasks/midjourney-reply'
import { DRAWING_MODES, withoutPromptFlags } from '@tollgate/providers/tasks/prompt-flags'
import type { TaskAnswerOut } from '@tollgate/providers/tasks/task'
import type { TaskApi, TaskOptions, TaskView } from '../task-api.ts'
import { midjourneyRoute } from './route.ts'

/** https://github.com/novicezk/midjourney-proxy */
export const midjourney: TaskApi = {
  judged: checkedTaskMembers.midjourney,
  route: midjourneyRoute,
  readAsk: (submit, body, options) => {
    const { action, origin } = midjourneyAction(submit.verb, body, options.followsOnlySuccess)
    const prompt = typeof body['prompt'] === 'string' ? body['prompt'] : ''
    return {
      action,
      model: midjourneyModel(action),
      work: { type: 'plain', path: submit.path, body: edited(body, options) },
      prompt,
      ...(origin && { origin }),
    }
  },
  readNotice: (body) => updateOf(body),
  showFetched: show,
  showList: (tasks) => tasks.map(show),
  refuse,
}

function edited(body: JsonObject, options: TaskOptions): JsonObject {
  const { accountFilter, notifyHook: _theirs, prompt, ...rest } = body
  const isPrompt = typeof prompt === 'string'
  return {
    ...rest,
    ...(prompt !== undefined && {
      prompt: isPrompt && options.clearsModes ? withoutPromptFlags(prompt, DRAWING_MODES) : prompt,
    }),
    ...(options.passesAccountFilter && accountFilter !== undefined && { accountFilter }),
    ...(options.notifyUrl !== undefined && { notifyHook: options.notifyUrl }),
  }
}

function show(task: TaskView): JsonObject {
  const { detail } = task
  return {
    id: task.taskId,
    action: task.action,
    customId: '',
    botType: '',
    prompt: detail['prompt'] ?? '',
    promptEn: detail['prompt_en'] ?? '',
    description: detail['description'] ?? '',
    state: detail['state'] ?? '',
    submitTime: task.submitMs,
    startTime: task.startMs,
    finishTime: task.finishMs,
    imageUrl: task.imageUrl,
    ...(detail['film_url'] !== undefined && { videoUrl: detail['film_url'] }),
    ...(detail['film_urls'] !== undefined && { videoUrls: detail['film_urls'] }),
    status: task.status,
    progress: task.progress,
    failReason: task.failReason,
    buttons: detail['buttons'] ?? [],
    maskBase64: '',
    properties: detail['properties'] ?? {},
  }
}

/** Midjourney clients check for these error codes, so the code itself is returned as the description. */
const SHORT: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'prompt_is_required',
  'task_id_is_required',
  'action_is_required',
  'index_is_required',
  'index_parse_failed',
  'content_parse_failed',
  'custom_id_is_required',
  'task_status_not_success',
])
const QUOTA: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'insufficient_user_quota',
  'pre_consume_token_quota_failed',
  'token_exhausted',
])

function refuse(problem: Problem, text: string): TaskAnswerOut {
  const { code, definition } = problem
  const isBusy = definition.status === 429
  const body = { code: isBusy ? SATURATED : 4, description: wordOf(problem, text), type: 'upstream_error' }
  if (code === 'task_outcome_unknown')
    return { status: 504, body: { ...body, result: problem.parameters['task'] } }
  return { status: isBusy ? 429 : definition.status >= 500 ? definition.status : 400, body }
}

function wordOf(refusal: Problem, text: string): string {
  const { code } = refusal
  if (SHORT.has(code)) return code
  if (QUOTA.has(code)) return 'quota_not_enough'
  if (code === 'task_not_found') return 'task_no_found'
  return code === 'unknown_action' ? `unknown_action:${refusal.parameter('action')}` : text
}
