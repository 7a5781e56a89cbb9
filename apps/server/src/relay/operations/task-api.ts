import type { CheckedShape } from '@tollgate/dialects/checked/shape'
import type { JsonObject } from '@tollgate/dialects/json'
import type { Problem } from '@tollgate/problems/problem'
import type { TaskAnswerOut, TaskAsk, TaskRefused, TaskUpdate } from '@tollgate/providers/tasks/task'

/**
 * One API in which clients submit tasks and ask for them. Holds, charges, refunds, polling and callbacks are
 * the same for all. All functions are pure.
 */
export interface TaskApi {
  /**
   * The API is a vendor's own, and its clients expect the vendor's error format even when authentication
   * fails.
   */
  readonly isVendorsOwn?: true
  /** Interprets a request; `undefined`: the path does not belong to this API. */
  readonly route: (request: TaskRequestLine) => TaskRoute | undefined
  /**
   * Members of a submission that affect price, limits, routing or refusal. Each must have its official
   * spelling and occur only once.
   */
  readonly judged: CheckedShape
  /** Throws a Problem for the first invalid member. */
  readonly readAsk: (route: SubmitRoute, body: JsonObject, options: TaskOptions) => TaskAsk
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
export interface TaskRequestLine {
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
