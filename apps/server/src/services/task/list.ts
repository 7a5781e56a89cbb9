import { TASK_TOTAL_MAX, type taskRoutes } from '@tollgate/contract/task'
import { type TaskFilter, type TaskRow, countTasks, listTasks } from '@tollgate/store/tasks'
import type { z } from 'zod'
import { Answer, type Handler } from '../handler.ts'
import type { TaskServices } from './services.ts'
import { toWireDrawing, toWireTask } from './wire.ts'

export function listDrawings(services: TaskServices): Handler<typeof taskRoutes.listDrawings> {
  return ({ query }) => {
    const filter = { ...drawingFilter(query), userId: query.user_id, channelId: query.channel_id }
    return page(services, { filter, query, show: (row) => toWireDrawing(row, services) })
  }
}

/** WEAKNESS: which channel drew it is the operator's business. */
export function listOwnDrawings(services: TaskServices): Handler<typeof taskRoutes.listOwnDrawings> {
  return ({ query, actor }) => {
    const filter = { ...drawingFilter(query), userId: actor.id }
    const show = (row: TaskRow) => ({ ...toWireDrawing(row, services), channel_id: 0 })
    return page(services, { filter, query, show })
  }
}

/** WEAKNESS: the filters of channel and user are in force. */
export function listTasksOfAll(services: TaskServices): Handler<typeof taskRoutes.list> {
  return ({ query }) => {
    const filter = { ...taskFilter(query), userId: query.user_id, channelId: query.channel_id }
    return page(services, { filter, query, show: (row) => toWireTask(row, services) })
  }
}

export function listOwnTasks(services: TaskServices): Handler<typeof taskRoutes.listOwn> {
  return ({ query, actor }) => {
    const filter = { ...taskFilter(query), userId: actor.id }
    return page(services, { filter, query, show: (row) => ({ ...toWireTask(row, services), channel_id: 0 }) })
  }
}

interface PageInput<Shown> {
  readonly filter: TaskFilter
  readonly query: { readonly p: number; readonly page_size: number }
  readonly show: (row: TaskRow) => Shown
}

/** A bare array with the total beside it: the family has the one, a console needs the other. */
async function page<Shown>({ store }: TaskServices, { filter, query, show }: PageInput<Shown>) {
  const { p, page_size: limit } = query
  const [rows, total] = await Promise.all([
    listTasks(store, filter, { offset: p * limit, limit }),
    countTasks(store, filter, TASK_TOTAL_MAX),
  ])
  return new Answer({ data: rows.map(show), extra: { total } })
}

function drawingFilter(query: z.output<typeof taskRoutes.listOwnDrawings.query>): TaskFilter {
  return {
    isDrawing: true,
    taskId: query.mj_id,
    fromMs: query.start_timestamp || undefined,
    untilMs: query.end_timestamp || undefined,
  }
}

const LAST_MS = 999

/** In whole seconds: the last one counts to its end. */
function taskFilter(query: z.output<typeof taskRoutes.listOwn.query>): TaskFilter {
  const { start_timestamp: from, end_timestamp: until } = query
  return {
    isDrawing: false,
    taskId: query.task_id,
    platform: query.platform,
    action: query.action,
    status: query.status,
    fromMs: from === 0 ? undefined : from * 1000,
    untilMs: until === 0 ? undefined : until * 1000 + LAST_MS,
  }
}
