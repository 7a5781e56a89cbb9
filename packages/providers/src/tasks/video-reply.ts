import { readUpstreamError } from '@tollgate/dialects/errors/render-error'
import { textAt, type JsonObject } from '@tollgate/dialects/json'
import { ownValue } from '@tollgate/kit/own-value'
import {
  idOf,
  reasonOf,
  type TaskAnswer,
  type TaskAsk,
  type TaskUpdate,
  type TaskReply,
  type TaskStatus,
} from './task.ts'
import { NOTHING_YET } from './upstream.ts'
import { storedProperties } from './video-ask.ts'

/** Common reading of the responses of video upstreams, which differ only in where their members are. */

export function acceptedVideo(ask: TaskAsk, taskId: string): TaskReply {
  return {
    type: 'accepted',
    taskId,
    isCharged: true,
    isKnown: false,
    update: {
      ...NOTHING_YET,
      status: 'SUBMITTED',
      detail: { properties: { input: ask.prompt }, ...storedProperties(ask) },
    },
  }
}

/** Accepts the task if the response contains an id, otherwise reads the error. */
export function videoReply(ask: TaskAsk, answer: TaskAnswer, id: unknown): TaskReply {
  const taskId = answer.status < 300 ? idOf(id) : ''
  return taskId === '' ? refusedVideo(ask, answer) : acceptedVideo(ask, taskId)
}

/**
 * Statuses caused by the client's request. All others concern the operator and the vendor and are not shown
 * to the client as they are.
 */
const CALLERS: ReadonlySet<number> = new Set([400, 413, 415, 422, 429])
/**
 * Statuses that come from an auth check or rate limiter in front of the vendor's workers, so no task was
 * created.
 */
const UNSEEN: ReadonlySet<number> = new Set([401, 402, 403, 404, 429])

export function refusedVideo(ask: TaskAsk, { status, body }: TaskAnswer): TaskReply {
  const { message, code } = readUpstreamError(status, Buffer.from(JSON.stringify(body ?? {})))
  return {
    type: 'refused',
    reason: reasonOf(message),
    code,
    isRetryable: UNSEEN.has(status),
    isChannelDead: status === 401,
    status: CALLERS.has(status) ? status : status < 300 ? 400 : status < 500 ? 502 : status,
    detail: { properties: { input: ask.prompt }, ...storedProperties(ask) },
  }
}

export interface VideoUpdate {
  readonly taskId: string
  readonly status: TaskStatus | undefined
  readonly failReason?: string
  readonly progress?: number | undefined
  /**
   * The public URL of the video; `undefined` if the content must be requested from the upstream itself, or if
   * there is no video yet.
   */
  readonly url?: string | undefined
  /** The vendor's own description of the result. */
  readonly data?: JsonObject | undefined
  readonly tokens?: number | undefined
}

const ADDRESS_CHARACTERS_MAX = 4_000

export function videoUpdate(reported: VideoUpdate): TaskUpdate {
  const { taskId, status, failReason = '', progress, url, data, tokens } = reported
  const isAddress = url !== undefined && url.length <= ADDRESS_CHARACTERS_MAX && /^https?:\/\//i.test(url)
  return {
    taskId,
    status,
    progress,
    failReason: status === 'FAILURE' ? reasonOf(failReason) : '',
    startMs: undefined,
    finishMs: undefined,
    ...(tokens !== undefined && { tokens }),
    detail: { ...(isAddress && { video_url: url }), ...(data && { data }) },
  }
}

/** A task that the vendor reports as done without a URL is still in progress. */
export function doneWith(status: TaskStatus | undefined, url: string | undefined): TaskStatus | undefined {
  return status === 'SUCCESS' && url === undefined ? 'IN_PROGRESS' : status
}

/** Maps the vendor's name of a state to ours. */
export function stateIn(
  states: Readonly<Record<string, TaskStatus>>,
  body: JsonObject,
  name: string,
): TaskStatus | undefined {
  const word = (textAt(body, name) ?? '').toLowerCase()
  return ownValue(states, word)
}
