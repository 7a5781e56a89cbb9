import { taskPlatforms } from '@tollgate/providers/tasks'
import type { TaskApi, TaskPlatform, TaskRoute } from '@tollgate/providers/tasks/platform'

/** A request to one of the task platforms. */
export interface TaskRelayRoute {
  readonly type: 'task'
  readonly platform: TaskPlatform
  readonly route: TaskRoute
  readonly path: string
}

export function taskRelayRoute(door: TaskApi): TaskRelayRoute | undefined {
  for (const platform of taskPlatforms) {
    const route = platform.route(door)
    if (route !== undefined) return { type: 'task', platform, route, path: door.path }
  }
  return undefined
}

const VIDEO_PATH = /^\/+(?:v1\/+(?:videos|video\/+generations)(?:\/|$)|kling\/|jimeng(?:[/?]|$))/

/** Whether a path belongs to the task platforms, even if it is not a known one. */
export function isTaskPath(path: string): boolean {
  if (VIDEO_PATH.test(path)) return true
  return /^\/+(?:suno|(?:(?!api\/)[\w-]{1,32}\/+)?mj)\//.test(path)
}
