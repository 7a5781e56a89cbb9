import { readUpstreamError } from '@tollgate/dialects/openai/error'
import { textAt, type JsonObject } from '@tollgate/dialects/json'
import {
  idOf,
  reasonOf,
  type TaskAnswer,
  type TaskAsk,
  type TaskUpdate,
  type TaskReply,
  type TaskStatus,
} from './platform.ts'
import { keptOf } from './video-ask.ts'

/** What upstreams of videos answer, read alike but for where each of them has its members. */

export function acceptedVideo(ask: TaskAsk, taskId: string): TaskReply {
  return {
    type: 'accepted',
    taskId,
    isCharged: true,
    isKnown: false,
    update: {
      status: 'SUBMITTED',
      progress: 0,
      failReason: '',
      startMs: undefined,
      finishMs: undefined,
      detail: { properties: { input: ask.prompt }, ...keptOf(ask) },
    },
  }
}

/** An id under the name the vendor has for it, or a refusal in its words. */
export function videoReply(ask: TaskAsk, answer: TaskAnswer, id: unknown): TaskReply {
  const taskId = answer.status < 300 ? idOf(id) : ''
  return taskId === '' ? refusedVideo(ask, answer) : acceptedVideo(ask, taskId)
}

/** Statuses that say something of the caller's request. Any other is between the operator and the vendor. */
const CALLERS: ReadonlySet<number> = new Set([400, 413, 415, 422, 429])
/** By who stands in front of the vendor's machines: none of them saw it. */
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
    detail: { properties: { input: ask.prompt }, ...keptOf(ask) },
  }
}

export interface VideoUpdate {
  readonly taskId: string
  readonly status: TaskStatus | undefined
  readonly failReason?: string
  readonly progress?: number | undefined
  /** Where anybody may fetch it; `undefined` where the upstream itself hands it out, or has none yet. */
  readonly url?: string | undefined
  /** What the vendor says of what was made. */
  readonly data?: JsonObject | undefined
  readonly tokens?: number | undefined
}

const ADDRESS_CHARACTERS_MAX = 4_000

export function videoUpdate({
  taskId,
  status,
  failReason = '',
  progress,
  url,
  data,
  tokens,
}: VideoUpdate): TaskUpdate {
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

/** A vendor that says it is done and names no address is not done. */
export function doneWith(status: TaskStatus | undefined, url: string | undefined): TaskStatus | undefined {
  return status === 'SUCCESS' && url === undefined ? 'IN_PROGRESS' : status
}

/** The vendor's word for a state, as ours. */
export function stateIn(
  states: Readonly<Record<string, TaskStatus>>,
  body: JsonObject,
  name: string,
): TaskStatus | undefined {
  const word = (textAt(body, name) ?? '').toLowerCase()
  return Object.hasOwn(states, word) ? states[word] : undefined
}
