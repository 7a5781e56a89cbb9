import { taskPlatforms } from '@tollgate/providers/tasks/index'
import type { TaskApi, TaskPlatform, TaskRoute } from '@tollgate/providers/tasks/platform'

/** A request to one of the platforms. */
export interface TaskEntrance {
  readonly type: 'task'
  readonly platform: TaskPlatform
  readonly route: TaskRoute
  /** The normalised path. */
  readonly path: string
}

export function taskEntrance(door: TaskApi): TaskEntrance | undefined {
  for (const platform of taskPlatforms) {
    const route = platform.route(door)
    if (route !== undefined) return { type: 'task', platform, route, path: door.path }
  }
  return undefined
}

const VIDEO_PATH = /^\/+(?:v1\/+(?:videos|video\/+generations)(?:\/|$)|kling\/|jimeng(?:[/?]|$))/

/** Everything under these belongs to the platforms, known or not. */
export function isTaskPath(path: string): boolean {
  if (VIDEO_PATH.test(path)) return true
  return /^\/+(?:suno|(?:(?!api\/)[\w-]{1,32}\/+)?mj)\//.test(path)
}
