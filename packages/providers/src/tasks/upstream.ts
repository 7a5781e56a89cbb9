import type { JsonObject } from '@tollgate/dialects/json'
import type { FormPart } from '@tollgate/dialects/media/form'
import { invariant } from '@tollgate/kit/invariant'
import type { TaskAnswer, TaskAsk, TaskUpdate, TaskReply, VideoWork } from './platform.ts'

/** How one kind of upstream is asked to do such work. Pure. */
export interface TaskUpstream {
  /** The platform whose work it does. */
  readonly platform: string
  /** Longest wait for the answer to a submission. */
  readonly submitMs: number
  /** Tasks asked after in one request. */
  readonly idsPerPoll: number
  /** Seconds of a video that nobody named the length of. */
  readonly secondsDefault?: number
  /** Lines of a video that nobody named the size of, where they are always told. */
  readonly resolutionDefault?: string
  /** What it makes of a wish, where it has no word for a part of it; throws the Problem of what it cannot make. */
  readonly make?: (wish: { readonly model: string; readonly work: VideoWork }) => VideoWork
  /** Tokens it may count for a video, where it tells their number on completion. */
  readonly tokens?: (work: VideoWork) => VideoTokens
  /** The longest answer to a question after tasks, where it brings along what was made. */
  readonly pollBytesMax?: number
  /** May be empty where every request is sealed by the provider. `accessToken`: what the key was exchanged for. */
  readonly headers: (key: string, nowMs: number, accessToken?: string) => Readonly<Record<string, string>>
  /** Throws the Problem of what this upstream cannot do. */
  readonly submit: (ask: TaskAsk, place: TaskPlace) => TaskRequest
  readonly readReply: (ask: TaskAsk, answer: TaskAnswer, place: TaskPlace) => TaskReply
  readonly poll: (tasks: readonly PolledTask[], place: ChannelPlace) => TaskRequest
  /** What is asked next where an answer names what was made, but not where it is. */
  readonly pollMore?: (body: JsonObject) => TaskRequest | undefined
  /** News of the tasks it tells of; `undefined` when the answer says nothing of any. */
  readonly readPoll: (
    answer: { readonly status: number; readonly body: unknown; readonly more?: unknown },
    tasks: readonly PolledTask[],
  ) => readonly TaskUpdate[] | undefined
  /** Where the upstream itself hands out what was made; absent where it tells a public address of it. */
  readonly content?: (taskId: string, detail: JsonObject, place: ChannelPlace) => TaskContent | undefined
}

export interface VideoTokens {
  /** By the vendor's own formula. */
  readonly usual: number
  /** None has more, whatever is told of it later. */
  readonly most: number
}

/** The channel that is asked. */
export interface ChannelPlace {
  readonly key: string
  readonly baseUrl: string
  readonly other: string
}

export interface TaskContent {
  readonly request: TaskRequest
  /** The answer is JSON, and the content the base64 text it has under this name. */
  readonly base64In?: string
  /** Its media type, where the answer itself does not tell it. */
  readonly mediaType?: string
}

export interface TaskPlace extends ChannelPlace {
  /** The upstream's name of the model. */
  readonly model: string
  /** The upstream's name of the task it goes on from. */
  readonly originId: string | undefined
}

/** A request below the channel's base URL, or another one of its vendor's. */
export interface TaskRequest {
  readonly baseUrl?: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: JsonObject
  /** With these the body goes out as a form. */
  readonly files?: readonly FormPart[]
}

export interface PolledTask {
  /** The upstream's. */
  readonly taskId: string
  readonly action: string
}

export function bearerOf(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` }
}

/** What is handed on as the caller wrote it. */
export function plainRequest({ work }: TaskAsk): TaskRequest {
  invariant(work.type === 'plain', 'a proxy is asked in the words of its callers')
  return { method: 'POST', path: work.path, body: work.body }
}

export function videoOf({ work }: TaskAsk): VideoWork {
  invariant(work.type === 'video', 'who makes videos is asked for videos')
  return work
}
