import type { JsonObject } from '@tollgate/dialects/json'
import type { JudgedShape } from '@tollgate/dialects/judged/shape'
import type { Problem } from '@tollgate/kit/problem'

/**
 * A kind of work that is done on its own time, as callers hand it in and are shown it: drawings, songs, videos. Holds,
 * charges, refunds, polling and callbacks are the gateway's and the same for all. Pure.
 */
export interface TaskPlatform {
  /** Kept with every task: `mj`, `suno`, `video`. Several doors may lead to one kind of work. */
  readonly id: string
  /** A task that has not ended by then is lost. */
  readonly lifeMs: number
  /** Callers know their tasks by names of this gateway's, never by the upstream's. */
  readonly hidesIds: boolean
  /** Its callers have their vendor's client, which is told in its own words even who it is not. */
  readonly isVendorsOwn?: true
  /** What a request means; `undefined`: not one of this platform's. */
  readonly route: (door: TaskApi) => TaskRoute | undefined
  /** Members of a submission that decide something: each has one spelling and is said once. */
  readonly judged: JudgedShape
  /** Throws the Problem of the first thing that is wrong with it. */
  readonly readAsk: (route: SubmitRoute, body: JsonObject, options: TaskOptions) => TaskAsk
  /** What a follow-up takes over from the task it goes on from. */
  readonly follow?: (ask: TaskAsk, origin: TaskView) => TaskAsk
  /** What an upstream posts by itself, where it does. */
  readonly readNotice?: (body: JsonObject) => TaskUpdate | undefined
  /** What answers a submission, where it is not the upstream's own answer. */
  readonly showAccepted?: (task: TaskView) => unknown
  readonly showFetched: (task: TaskView) => unknown
  /** Which task a body asks after; only for routes that do not tell. */
  readonly readTaskId?: (body: JsonObject) => string
  readonly showList: (tasks: readonly TaskView[]) => unknown
  /** Newest or oldest first, as asked; absent where callers cannot page through what is theirs. */
  readonly showPage?: (page: TaskPage) => unknown
  /** Absent where nothing is removed. */
  readonly showRemoved?: (taskId: string) => unknown
  /** A refusal of ours. */
  readonly refuse: (problem: Problem, text: string) => TaskAnswerOut
  /** One of the upstream's, where it is not handed on as it came. */
  readonly showRefused?: (refused: TaskRefused) => unknown
}

/** Where a request came in. */
export interface TaskApi {
  readonly method: string
  /** Normalised. */
  readonly path: string
  readonly query: URLSearchParams
}

export type TaskRoute =
  | SubmitRoute
  | { readonly type: 'fetch'; readonly taskId: string }
  /** The task is named in the body. */
  | { readonly type: 'fetch-named' }
  /** One of the platform's that asks for nothing it knows. */
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
  /** `imagine`, `music`. */
  readonly verb: string
  /** The normalised path, as the upstream has it where it is handed on. */
  readonly path: string
}

/** What the operator settled. */
export interface TaskOptions {
  readonly passesAccountFilter: boolean
  /** Where the upstream may post news; `undefined`: nowhere. */
  readonly notifyUrl: string | undefined
  readonly clearsModes: boolean
  readonly followsOnlySuccess: boolean
}

/** A submission, understood. */
export interface TaskAsk {
  readonly action: string
  /** Routes and prices it. */
  readonly model: string
  /** The same model by the name it is served by where nobody serves the first one. */
  readonly otherModel?: string
  readonly work: PlainWork | VideoWork
  readonly prompt: string
  /** The caller's task it goes on from: it goes to the same channel. */
  readonly origin?: { readonly taskId: string; readonly mustHaveSucceeded: boolean }
}

/** Handed on as the caller wrote it. */
export interface PlainWork {
  readonly type: 'plain'
  readonly path: string
  readonly body: JsonObject
}

/** Written anew for the upstream that makes it. */
export interface VideoWork {
  readonly type: 'video'
  /** Public addresses, data URLs or bare base64: the first picture, the last one, or references. */
  readonly images: readonly string[]
  /** What is paid for; `undefined`: as many as the upstream makes by default. */
  readonly seconds: number | undefined
  /** `1280x720` or `720p`. */
  readonly size: string | undefined
  /** `720p` or `4k`, where the lines are told apart from the size; they never contradict it. */
  readonly resolution: string | undefined
  readonly mode: string | undefined
  /** With sound or without; `undefined`: as the vendor makes it by default. */
  readonly sound: boolean | undefined
  /** How soon it is made, where that is not the usual: `flex`, `off-peak`. */
  readonly tier: string | undefined
  /** Members for the vendor alone; those that change its price are among the words of the quality. */
  readonly extras: JsonObject
  /** The caller's name of the video it is a remix of. */
  readonly remixOf: string | undefined
}

export interface TaskAnswer {
  readonly status: number
  /** `undefined` when the answer is no JSON object. */
  readonly body: JsonObject | undefined
}

export interface TaskAnswerOut {
  readonly status: number
  readonly body: unknown
}

export type TaskReply = TaskAccepted | TaskRefused

export interface TaskAccepted {
  readonly type: 'accepted'
  /** The upstream's; `undefined` where the work is done already and has none. */
  readonly taskId: string | undefined
  readonly isCharged: boolean
  /** The upstream had it before: a caller who has a row for it gets no second one. */
  readonly isKnown: boolean
  readonly update: Omit<TaskUpdate, 'taskId'>
  /** Where the platform hands on what the upstream said. */
  readonly answer?: TaskAnswerOut
}

export interface TaskRefused {
  readonly type: 'refused'
  /** For the log and the task's row. */
  readonly reason: string
  /** A short code of the upstream's. */
  readonly code: string
  /** Another channel may try: nothing came of it here. */
  readonly isRetryable: boolean
  /** The channel cannot work for anybody now. */
  readonly isChannelDead: boolean
  /** What the caller is answered with. */
  readonly status: number
  /** Where the platform hands on what the upstream said. */
  readonly answer?: JsonObject
  readonly detail: JsonObject
}

/** What an upstream says of a task, each part only if it says it. */
export interface TaskUpdate {
  readonly taskId: string
  readonly status: TaskStatus | undefined
  readonly progress: number | undefined
  readonly failReason: string
  readonly startMs: number | undefined
  readonly finishMs: number | undefined
  /** What the vendor counted for what it made, where it counts tokens. */
  readonly tokens?: number | undefined
  /** Merged over what is kept. */
  readonly detail: JsonObject
}

export type TaskStatus = (typeof TASK_STATES)[number]

/** In the order in which they may follow each other; `MODAL` waits for the caller and then goes on. */
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

/** A task as it is kept. Times in milliseconds, 0 for not yet. */
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
  /** Where its owner may see the image; "" when there is none. */
  readonly imageUrl: string
}

export function statusOf(value: unknown): TaskStatus | undefined {
  return TASK_STATES.find((state) => state === value)
}

/** `35%`, 35 or "35". */
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

/** An id a row can be found by; "" for anything else. */
export function idOf(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text.length <= ID_CHARACTERS_MAX ? text : ''
}

/** In the future of no clock, and not before there were any. */
const TIME_MS_MAX = 253_402_300_799_999

export function millisecondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value <= TIME_MS_MAX ? Math.round(value) : undefined
}

/** Seconds since the epoch; what could not be seconds are milliseconds. */
export function secondsOf(value: unknown): number | undefined {
  const time = millisecondsOf(value)
  return time === undefined || time > 1e11 ? time : time * 1000
}
