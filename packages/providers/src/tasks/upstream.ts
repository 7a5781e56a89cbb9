import type { JsonObject } from '@tollgate/dialects/json'
import type { FormPart } from '@tollgate/dialects/media/form'
import { invariant } from '@tollgate/kit/invariant'
import type { TaskAnswer, TaskAsk, TaskUpdate, TaskReply, VideoWork } from './task.ts'

/** How one kind of upstream performs asynchronous tasks. All functions are pure. */
export interface TaskUpstream {
  /** The id of the `TaskPlatform` whose tasks it performs. */
  readonly platform: string
  /** Longest wait for the response to a submission. */
  readonly submitMs: number
  /** Number of tasks that one request can poll. */
  readonly idsPerPoll: number
  /** The length of a video in seconds when the client set none. */
  readonly secondsDefault?: number
  /** The resolution of a video when the client set none, for vendors that must always receive one. */
  readonly resolutionDefault?: string
  /** Adjusts a requested video to what the vendor can express; throws a Problem for what it cannot make. */
  readonly make?: (wish: { readonly model: string; readonly work: VideoWork }) => VideoWork
  /** Estimates the tokens of a video, for vendors that report their number on completion. */
  readonly tokens?: (work: VideoWork) => VideoTokens
  /** Size limit of a poll response in bytes, for vendors whose response contains the result itself. */
  readonly pollBytesMax?: number
  /**
   * Returns the authentication headers; empty if the provider signs every request. `accessToken` is the token
   * that the key was exchanged for.
   */
  readonly headers: (key: string, nowMs: number, accessToken?: string) => Readonly<Record<string, string>>
  /** Throws a Problem for a request that this upstream cannot perform. */
  readonly submit: (ask: TaskAsk, place: TaskTarget) => TaskRequest
  readonly readReply: (ask: TaskAsk, answer: TaskAnswer, place: TaskTarget) => TaskReply
  readonly poll: (tasks: readonly PolledTask[], place: ChannelTarget) => TaskRequest
  /** Returns the follow-up request if a poll response names the result but contains no URL for it. */
  readonly pollMore?: (body: JsonObject) => TaskRequest | undefined
  /** Returns the updates in a poll response; `undefined` when it says nothing about any task. */
  readonly readPoll: (
    answer: { readonly status: number; readonly body: unknown; readonly more?: unknown },
    tasks: readonly PolledTask[],
  ) => readonly TaskUpdate[] | undefined
  /**
   * Returns the request that downloads the result from the upstream; absent if the upstream reports a public
   * URL of it.
   */
  readonly content?: (taskId: string, detail: JsonObject, place: ChannelTarget) => TaskContent | undefined
}

export interface VideoTokens {
  /** The estimate by the vendor's own formula. */
  readonly usual: number
  /** An upper bound, which also limits the number that is reported later. */
  readonly most: number
}

/** The channel that the request is sent to. */
export interface ChannelTarget {
  readonly key: string
  readonly baseUrl: string
  readonly other: string
}

export interface TaskContent {
  readonly request: TaskRequest
  /** The response is JSON, and the content is base64 text in the member of this name. */
  readonly base64In?: string
  /** The media type of the content, if the response does not contain it. */
  readonly mediaType?: string
}

export interface TaskTarget extends ChannelTarget {
  /** The upstream's name of the model. */
  readonly model: string
  /** The upstream's id of the task that this one continues. */
  readonly originId: string | undefined
}

/** A request below the channel's base URL, or below another base URL of the same vendor. */
export interface TaskRequest {
  readonly baseUrl?: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: JsonObject
  /** If present, the body is sent as a multipart form. */
  readonly files?: readonly FormPart[]
}

export interface PolledTask {
  /** The upstream's task id. */
  readonly taskId: string
  readonly action: string
}

export function bearerOf(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` }
}

/** Returns a request that passes on the client's body. */
export function plainRequest({ work }: TaskAsk): TaskRequest {
  invariant(work.type === 'plain', 'a proxy is asked in the words of its callers')
  return { method: 'POST', path: work.path, body: work.body }
}

export function videoOf({ work }: TaskAsk): VideoWork {
  invariant(work.type === 'video', 'who makes videos is asked for videos')
  return work
}

/** The state of a task that was just accepted. */
export const NOTHING_YET = {
  status: 'NOT_START',
  progress: 0,
  failReason: '',
  startMs: undefined,
  finishMs: undefined,
} as const

/** Whether a status comes from a proxy or an auth check in front of the upstream, which then made no task. */
export function isRefusedBefore(status: number): boolean {
  return status === 401 || status === 403 || status === 404 || status === 429
}
