import type { Call } from '../call.ts'
import type { LaterOperation } from '../operations/later-operation.ts'
import type { TaskApi } from '../operations/task-api.ts'
import type { Caller } from '../stations/admit/caller.ts'

/** An authenticated request to one of the APIs of an operation that ends later. */
export interface TaskCall {
  readonly call: Call
  readonly caller: Caller
  readonly operation: LaterOperation
  readonly api: TaskApi
}
