import { taskRoutes } from '@tollgate/contract/task'
import { type BoundRoute, bind } from '../handler.ts'
import { listDrawings, listOwnDrawings, listOwnTasks, listTasksOfAll } from './list.ts'
import type { TaskServices } from './services.ts'

export function taskHandlers(services: TaskServices): readonly BoundRoute[] {
  return [
    bind(taskRoutes.listDrawings, listDrawings(services)),
    bind(taskRoutes.listOwnDrawings, listOwnDrawings(services)),
    bind(taskRoutes.list, listTasksOfAll(services)),
    bind(taskRoutes.listOwn, listOwnTasks(services)),
  ]
}
