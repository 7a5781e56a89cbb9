import type { TaskPlatform } from '@tollgate/providers/tasks/platform'
import type { Call } from '../call.ts'
import type { Caller } from '../stations/admit/caller.ts'

/** An authenticated request to the routes of a task platform. */
export interface TaskCall {
  readonly call: Call
  readonly caller: Caller
  readonly platform: TaskPlatform
}
