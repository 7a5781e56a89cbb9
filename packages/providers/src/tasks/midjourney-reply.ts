import { isRecord, recordAt, type JsonObject } from '@tollgate/dialects/json'
import {
  idOf,
  millisecondsOf,
  progressOf,
  reasonOf,
  statusOf,
  type TaskAnswer,
  type TaskAsk,
  type TaskReply,
  type TaskUpdate,
} from './task.ts'
import { isRefusedBefore, NOTHING_YET } from './upstream.ts'

const SUBMITTED = 1
const EXISTS = 21
const QUEUED = 22
const NO_ACCOUNT = 3
const QUEUE_FULL = 23
export const SATURATED = 30
const UNKNOWN_ERROR = 5
const ACCEPTED: ReadonlySet<number> = new Set([SUBMITTED, EXISTS, QUEUED])
/** Errors after which no task was created and another upstream may have capacity. */
const RETRYABLE: ReadonlySet<number> = new Set([NO_ACCOUNT, QUEUE_FULL, SATURATED])
/** These actions only open a modal window and are not charged; the action in the window is. */
const WINDOWS: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM'])

export function readReply(ask: TaskAsk, { status, body }: TaskAnswer): TaskReply {
  const code = typeof body?.['code'] === 'number' ? body['code'] : undefined
  const isAccepted = status < 300 && code !== undefined && ACCEPTED.has(code)
  const isUpload = ask.action === 'UPLOAD'
  const taskId = idOf(body?.['result'])
  if (!body || !isAccepted || (taskId === '' && !isUpload)) return refused(body, { status, code })
  const properties = recordAt(body, 'properties') ?? {}
  const known = code === EXISTS ? updateOf({ ...properties, id: taskId }) : undefined
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

export function updateOf(value: unknown): TaskUpdate | undefined {
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
