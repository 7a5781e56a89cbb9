import type { JsonObject } from '@tollgate/dialects/json'
import type { CheckedShape } from '@tollgate/dialects/checked/shape'
import type { Problem } from '@tollgate/problems/problem'

/**
 * An API for asynchronous tasks (images, music, videos), as clients submit and query them. Holds, charges,
 * refunds, polling and callbacks are implemented by the gateway and are the same for all. All functions are
 * pure.
 */
export interface TaskPlatform {
  /** The kind of work, stored with every task: `mj`, `suno`, `video`. Several APIs may share one. */
  readonly id: string
  /** A task that has not finished after this time is considered lost. */
  readonly lifeMs: number
  /** Clients get task ids of this gateway instead of the upstream's. */
  readonly hidesIds: boolean
  /**
   * The API is a vendor's own, and its clients expect the vendor's error format even when authentication
   * fails.
   */
  readonly isVendorsOwn?: true
  /** Interprets a request; `undefined`: the path does not belong to this platform. */
  readonly route: (door: TaskApi) => TaskRoute | undefined
  /**
   * Members of a submission that affect price, limits, routing or refusal. Each must have its official
   * spelling and occur only once.
   */
  readonly judged: CheckedShape
  /** Throws a Problem for the first invalid member. */
  readonly readAsk: (route: SubmitRoute, body: JsonObject, options: TaskOptions) => TaskAsk
  /** Adds to a follow-up the properties that it takes over from the original task. */
  readonly follow?: (ask: TaskAsk, origin: TaskView) => TaskAsk
  /** Reads a notification that the upstream posted; absent if it sends none. */
  readonly readNotice?: (body: JsonObject) => TaskUpdate | undefined
  /** Returns the response to a submission, if the upstream's response is not passed on. */
  readonly showAccepted?: (task: TaskView) => unknown
  readonly showFetched: (task: TaskView) => unknown
  /** Reads the task id from the body, for routes that do not contain it. */
  readonly readTaskId?: (body: JsonObject) => string
  readonly showList: (tasks: readonly TaskView[]) => unknown
  /**
   * Returns one page of tasks, newest or oldest first as requested; absent where clients cannot list their
   * tasks.
   */
  readonly showPage?: (page: TaskPage) => unknown
  /** Absent where tasks cannot be deleted. */
  readonly showRemoved?: (taskId: string) => unknown
  /** Returns the response for an error of this gateway. */
  readonly refuse: (problem: Problem, text: string) => TaskAnswerOut
  /** Returns the response for an error of the upstream, if it is not passed on as received. */
  readonly showRefused?: (refused: TaskRefused) => unknown
}

/** The method, path and query of a request. */
export interface TaskApi {
  readonly method: string
  /** The normalised path. */
  readonly path: string
  readonly query: URLSearchParams
}

export type TaskRoute =
  | SubmitRoute
  | { readonly type: 'fetch'; readonly taskId: string }
  /** The task id is in the body. */
  | { readonly type: 'fetch-named' }
  /** A request on one of the platform's paths for something unknown to it. */
  | { readonly type: 'refused'; readonly problem: Problem }
  | { readonly type: 'list' }
  | { readonly type: 'page' }
  | { readonly type: 'remove'; readonly taskId: string }
  | { readonly type: 'seed'; readonly taskId: string; readonly path: string }
  | { readonly type: 'image'; readonly taskId: string }
  | { readonly type: 'content'; readonly taskId: string }
  | { readonly type: 'notify' }

export interface TaskPage {
  readonly tasks: readonly TaskView[]
  readonly hasMore: boolean
}

export interface SubmitRoute {
  readonly type: 'submit'
  /** The verb of the submission, such as `imagine` or `music`. */
  readonly verb: string
  /** The normalised path, in the form that the upstream expects if the request is passed on. */
  readonly path: string
}

/** The operator's settings. */
export interface TaskOptions {
  readonly passesAccountFilter: boolean
  /** The URL to which the upstream may post notifications; `undefined`: none. */
  readonly notifyUrl: string | undefined
  readonly clearsModes: boolean
  readonly followsOnlySuccess: boolean
}

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

/** The members of a task that the APIs of Suno and of older videos show alike; times are in whole seconds. */
export function shownTask(task: TaskView): JsonObject {
  return {
    task_id: task.taskId,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: Math.floor(task.submitMs / 1000),
    start_time: Math.floor(task.startMs / 1000),
    finish_time: Math.floor(task.finishMs / 1000),
    progress: task.progress,
  }
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

/** A stored task. Times are in milliseconds; 0 means that the event has not happened yet. */
export interface TaskView {
  readonly taskId: string
  readonly action: string
  readonly status: string
  readonly progress: string
  readonly failReason: string
  readonly submitMs: number
  readonly startMs: number
  readonly finishMs: number
  readonly detail: JsonObject
  /** The URL of the image for the task's owner; "" when there is none. */
  readonly imageUrl: string
}

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
