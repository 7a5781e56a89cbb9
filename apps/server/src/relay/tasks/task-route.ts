import { laterOperations } from '../operations/all.ts'
import type { LaterOperation } from '../operations/later-operation.ts'
import type { TaskApi, TaskRequestLine, TaskRoute } from '../operations/task-api.ts'

/** A request to one of the APIs of an operation that ends later. */
export interface TaskRelayRoute {
  readonly type: 'task'
  readonly operation: LaterOperation
  readonly api: TaskApi
  readonly route: TaskRoute
  readonly path: string
}

export function taskRelayRoute(request: TaskRequestLine): TaskRelayRoute | undefined {
  for (const operation of laterOperations) {
    for (const api of operation.apis) {
      const route = api.route(request)
      if (route !== undefined) return { type: 'task', operation, api, route, path: request.path }
    }
  }
  return undefined
}

/** Whether a path belongs to an operation that ends later, even if it is not a known one. */
export function isTaskPath(path: string): boolean {
  return laterOperations.some(({ ownPaths }) => ownPaths.test(path))
}
