import type { JsonObject } from '@tollgate/dialects/json'

/** A parsed submission. */
export interface TaskAsk {
  readonly action: string
  /** The model name by which the task is routed and priced. */
  readonly model: string
  /** Another name of the same model, used for routing if no channel serves the first one. */
  readonly otherModel?: string
  readonly work: PlainWork | VideoWork
  readonly prompt: string
  /** The caller's task that this one continues; it is sent to the same channel. */
  readonly origin?: { readonly taskId: string; readonly mustHaveSucceeded: boolean }
}

/** Work that is passed on with the client's body. */
export interface PlainWork {
  readonly type: 'plain'
  readonly path: string
  readonly body: JsonObject
}

/** Work that is converted to the format of the upstream. */
export interface VideoWork {
  readonly type: 'video'
  /** Public URLs, data URLs or bare base64: the first frame, the last frame, or references. */
  readonly images: readonly string[]
  /** The length that is charged; `undefined`: the upstream's default length. */
  readonly seconds: number | undefined
  /** A size such as `1280x720` or `720p`. */
  readonly size: string | undefined
  /**
   * A resolution such as `720p` or `4k`, if it was set separately from the size. The two never contradict
   * each other.
   */
  readonly resolution: string | undefined
  readonly mode: string | undefined
  /** With or without sound; `undefined`: the vendor's default. */
  readonly sound: boolean | undefined
  /** A service tier that is not the standard one: `flex`, `off-peak`. */
  readonly tier: string | undefined
  /**
   * Members that only the vendor knows. Those that change its price are also among the quality words (see
   * `qualityWords`).
   */
  readonly extras: JsonObject
  /** The client's id of the video that this one is a remix of. */
  readonly remixOf: string | undefined
}

export interface TaskAnswer {
  readonly status: number
  /** `undefined` when the response is not a JSON object. */
  readonly body: JsonObject | undefined
}

export interface TaskAnswerOut {
  readonly status: number
  readonly body: unknown
}

export type TaskReply = TaskAccepted | TaskRefused

export interface TaskAccepted {
  readonly type: 'accepted'
  /** The upstream's task id; `undefined` when the work is already done and has no id. */
  readonly taskId: string | undefined
  readonly isCharged: boolean
  /** The upstream had this task before. A caller who already has a row for it gets no second one. */
  readonly isKnown: boolean
  readonly update: Omit<TaskUpdate, 'taskId'>
  /** The upstream's response, if the platform passes it on. */
  readonly answer?: TaskAnswerOut
}

export interface TaskRefused {
  readonly type: 'refused'
  /** The reason for the log and the task's row. */
  readonly reason: string
  /** The upstream's short error code. */
  readonly code: string
  /** No task was created at this upstream, so another channel may try. */
  readonly isRetryable: boolean
  /** The channel currently cannot work for any caller. */
  readonly isChannelDead: boolean
  /** The HTTP status of the response to the client. */
  readonly status: number
  /** The upstream's response, if the platform passes it on. */
  readonly answer?: JsonObject
  readonly detail: JsonObject
}

/** An update that an upstream reported for a task. Members are set only if the upstream reported them. */
export interface TaskUpdate {
  readonly taskId: string
  readonly status: TaskStatus | undefined
  readonly progress: number | undefined
  readonly failReason: string
  readonly startMs: number | undefined
  readonly finishMs: number | undefined
  /** The tokens that the vendor counted for the result, if it counts tokens. */
  readonly tokens?: number | undefined
  /** Is merged into the stored detail. */
  readonly detail: JsonObject
}

export type TaskStatus = (typeof TASK_STATES)[number]

/**
 * Task states in the order of progress: a task only moves to a later state. `MODAL` waits for input from the
 * client and then continues.
 */
export const TASK_STATES = [
  'UNKNOWN',
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'MODAL',
  'IN_PROGRESS',
  'FAILURE',
  'SUCCESS',
] as const

export function statusOf(value: unknown): TaskStatus | undefined {
  return TASK_STATES.find((state) => state === value)
}

/** Parses `35%`, 35 or "35". */
export function progressOf(value: unknown): number | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  const digits = /^(\d{1,3})%?$/.exec(text)?.[1]
  return digits === undefined ? undefined : Math.min(100, Number(digits))
}

const REASON_CHARACTERS_MAX = 2_000

export function reasonOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, REASON_CHARACTERS_MAX) : ''
}

const ID_CHARACTERS_MAX = 200

/** Returns an id by which a row can be found; "" for anything else. */
export function idOf(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text.length <= ID_CHARACTERS_MAX ? text : ''
}

/** The last millisecond of the year 9999, as an upper bound for plausible times. */
const TIME_MS_MAX = 253_402_300_799_999

export function millisecondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value <= TIME_MS_MAX ? Math.round(value) : undefined
}

/**
 * Parses a time that may be in seconds or milliseconds since the epoch and returns milliseconds. Values too
 * large for seconds are taken as milliseconds.
 */
export function secondsOf(value: unknown): number | undefined {
  const time = millisecondsOf(value)
  return time === undefined || time > 1e11 ? time : time * 1000
}
