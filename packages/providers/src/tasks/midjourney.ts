import { checkedTaskMembers } from '@tollgate/dialects/checked/task-members'
import { isRecord, recordAt, type JsonObject } from '@tollgate/dialects/json'
import type { Problem, ProblemCode } from '@tollgate/problems/problem'
import { isMidjourneyVerb, midjourneyAction, midjourneyModel } from './midjourney-actions.ts'
import {
  idOf,
  millisecondsOf,
  progressOf,
  reasonOf,
  statusOf,
  type TaskAnswer,
  type TaskAnswerOut,
  type TaskAsk,
  type TaskUpdate,
  type TaskOptions,
  type TaskPlatform,
  type TaskReply,
  type TaskApi,
  type TaskRoute,
  type TaskView,
} from './platform.ts'
import { withoutPromptFlags } from './prompt-flags.ts'
import { plainRequest, type TaskUpstream } from './upstream.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Image generation through a Midjourney proxy. */
export const midjourney: TaskPlatform = {
  id: 'mj',
  lifeMs: HOUR_MS,
  hidesIds: false,
  judged: checkedTaskMembers.midjourney,
  route,
  readAsk: (submit, body, options) => {
    const { action, origin } = midjourneyAction(submit, body, options.followsOnlySuccess)
    const prompt = typeof body['prompt'] === 'string' ? body['prompt'] : ''
    return {
      action,
      model: midjourneyModel(action),
      work: { type: 'plain', path: submit.path, body: edited(body, options) },
      prompt,
      ...(origin && { origin }),
    }
  },
  readNotice: (body) => newsOf(body),
  showFetched: show,
  showList: (tasks) => tasks.map(show),
  refuse,
}

export const midjourneyProxy: TaskUpstream = {
  platform: midjourney.id,
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
    status === 200 && Array.isArray(body) ? body.flatMap((item) => newsOf(item) ?? []) : undefined,
}

/**
 * Matches `/mj/…` with or without a mode before it. In `/mj-fast/mj/…` the mode is for this gateway only;
 * `/fast/mj/…` is passed to the upstream.
 */
const PATH = /^(?:\/([\w-]{1,32}))?\/mj(\/.+)$/

function route({ method, path }: TaskApi): TaskRoute | undefined {
  const [, mode, rest = ''] = PATH.exec(path) ?? []
  if (mode === 'api') return undefined
  const upstreamPath = `${mode === undefined || mode.startsWith('mj-') ? '' : `/${mode}`}/mj${rest}`
  if (method === 'POST') return posted(rest, upstreamPath)
  if (method !== 'GET') return undefined
  const [, kind, id, verb] = /^\/(task|image)\/([^/]+)(?:\/(fetch|image-seed))?$/.exec(rest) ?? []
  if (id === undefined) return undefined
  const taskId = decoded(id)
  if (kind === 'image') return verb === undefined ? { type: 'image', taskId } : undefined
  if (verb === 'fetch') return { type: 'fetch', taskId }
  return verb === 'image-seed' ? { type: 'seed', taskId, path: upstreamPath } : undefined
}

function posted(rest: string, path: string): TaskRoute | undefined {
  if (rest === '/task/list-by-condition') return { type: 'list' }
  if (rest === '/notify') return { type: 'notify' }
  if (rest === '/insight-face/swap') return { type: 'submit', verb: 'swap', path }
  const verb = /^\/submit\/([\w-]+)$/.exec(rest)?.[1]
  if (verb === undefined || verb === 'swap' || !isMidjourneyVerb(verb)) return undefined
  return { type: 'submit', verb, path }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const DRAWING_MODES = /--(?:fast|relax|turbo)\b/gi

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

const SUBMITTED = 1
const EXISTS = 21
const QUEUED = 22
const NO_ACCOUNT = 3
const QUEUE_FULL = 23
const SATURATED = 30
const UNKNOWN_ERROR = 5
const ACCEPTED: ReadonlySet<number> = new Set([SUBMITTED, EXISTS, QUEUED])
/** Errors after which no task was created and another upstream may have capacity. */
const RETRYABLE: ReadonlySet<number> = new Set([NO_ACCOUNT, QUEUE_FULL, SATURATED])
/** These actions only open a modal window and are not charged; the action in the window is. */
const WINDOWS: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM'])

function readReply(ask: TaskAsk, { status, body }: TaskAnswer): TaskReply {
  const code = typeof body?.['code'] === 'number' ? body['code'] : undefined
  const isAccepted = status < 300 && code !== undefined && ACCEPTED.has(code)
  const isUpload = ask.action === 'UPLOAD'
  const taskId = idOf(body?.['result'])
  if (!body || !isAccepted || (taskId === '' && !isUpload)) return refused(body, { status, code })
  const properties = recordAt(body, 'properties') ?? {}
  const known = code === EXISTS ? newsOf({ ...properties, id: taskId }) : undefined
  return {
    type: 'accepted',
    taskId: isUpload ? undefined : taskId,
    isCharged: !WINDOWS.has(ask.action) && (ask.action !== 'SWAP_FACE' || code === SUBMITTED),
    isKnown: code === EXISTS,
    update: {
      ...(known ?? NOTHING_YET),
      ...(isUpload && { status: 'SUCCESS' as const, progress: 100 }),
      detail: {
        code,
        description: reasonOf(body['description']),
        prompt: ask.prompt,
        properties,
        ...known?.detail,
        ...(isUpload && uploaded(body['result'])),
      },
    },
    answer: { status, body: { ...body, code: shownCode(ask.action, code) } },
  }
}

const NOTHING_YET = {
  status: 'NOT_START',
  progress: 0,
  failReason: '',
  startMs: undefined,
  finishMs: undefined,
} as const

function uploaded(result: unknown): JsonObject {
  const first: unknown = Array.isArray(result) ? result[0] : result
  return imageAt(first)
}

/** Clients treat code 1 as success and hardly any other. */
function shownCode(action: string, code: number): number {
  if (code === QUEUED) return SUBMITTED
  return code === EXISTS && !WINDOWS.has(action) ? SUBMITTED : code
}

function refused(
  body: JsonObject | undefined,
  { status, code: reported }: { status: number; code: number | undefined },
): TaskReply {
  const code = reported === undefined || ACCEPTED.has(reported) ? UNKNOWN_ERROR : reported
  const description = reasonOf(body?.['description']) || `bad response status code ${status}`
  const text = `${description} ${typeof body?.['result'] === 'string' ? reasonOf(body['result']) : ''}`.trim()
  return {
    type: 'refused',
    reason: text,
    code: String(code),
    isRetryable: RETRYABLE.has(code) || (reported === undefined && isRefusedBefore(status)),
    isChannelDead: code === NO_ACCOUNT,
    status: code === SATURATED ? 429 : 400,
    answer: { code, description: text, type: 'upstream_error' },
    detail: { code, description: text },
  }
}

/**
 * Statuses that come from a proxy or an auth check in front of the upstream, so the submission did not reach
 * it.
 */
function isRefusedBefore(status: number): boolean {
  return status === 401 || status === 403 || status === 404 || status === 429
}

function newsOf(value: unknown): TaskUpdate | undefined {
  if (!isRecord(value)) return undefined
  const taskId = idOf(value['id'])
  if (taskId === '') return undefined
  const failReason = reasonOf(value['failReason'])
  const reported = statusOf(value['status'])
  const status = failReason !== '' && reported !== 'SUCCESS' ? 'FAILURE' : reported
  return {
    taskId,
    status,
    progress: progressOf(value['progress']),
    failReason,
    startMs: millisecondsOf(value['startTime']),
    finishMs: millisecondsOf(value['finishTime']),
    detail: {
      ...imageAt(value['imageUrl']),
      ...(typeof value['promptEn'] === 'string' && { prompt_en: value['promptEn'] }),
      ...(typeof value['state'] === 'string' && { state: value['state'] }),
      ...(isRecord(value['properties']) && { properties: value['properties'] }),
      ...(Array.isArray(value['buttons']) && { buttons: value['buttons'] }),
      ...filmsAt(value),
    },
  }
}

const ADDRESS_CHARACTERS_MAX = 4_000

/** Keeps the image only if it is an http(s) URL. */
function imageAt(value: unknown): JsonObject {
  const isAddress =
    typeof value === 'string' && value.length <= ADDRESS_CHARACTERS_MAX && /^https?:\/\//i.test(value)
  return isAddress ? { image_url: value } : {}
}

/** Reads the videos that were made from an image. */
function filmsAt({ videoUrl, videoUrls }: JsonObject): JsonObject {
  const isAddress =
    typeof videoUrl === 'string' && videoUrl !== '' && videoUrl.length <= ADDRESS_CHARACTERS_MAX
  return {
    ...(isAddress && { film_url: videoUrl }),
    ...(Array.isArray(videoUrls) && videoUrls.length > 0 && { film_urls: videoUrls }),
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
