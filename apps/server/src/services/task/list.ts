import { TASK_TOTAL_MAX, type taskRoutes } from '@tollgate/contract/task'
import { channelNames } from '@tollgate/store/logs/logs'
import { type TaskFilter, type TaskRow, countTasks, listTasks } from '@tollgate/store/operations/tasks'
import { userIdNamed, usernames } from '@tollgate/store/accounts/users'
import type { z } from 'zod'
import { Answer, type Handler } from '../handler.ts'
import type { TaskServices } from './services.ts'
import { type TaskNames, toWireDrawing, toWireTask } from './wire.ts'

export function listDrawings(services: TaskServices): Handler<typeof taskRoutes.listDrawings> {
  return async ({ query, language, userHeader }) => {
    const filter = { ...drawingFilter(query), ...(await filterOfAll(services, query)) }
    const show = (row: TaskRow, names: TaskNames) =>
      toWireDrawing(row, names, { services, language, userHeader })
    return page(services, { filter, query, names: namesFor(services), show })
  }
}

/** Unlike new-api, this hides which channel made a drawing: only operators may see channels. */
export function listOwnDrawings(services: TaskServices): Handler<typeof taskRoutes.listOwnDrawings> {
  return ({ query, actor, language, userHeader }) => {
    const filter = { ...drawingFilter(query), userId: actor.id }
    const show = (row: TaskRow, names: TaskNames) => ({
      ...toWireDrawing(row, names, { services, language, userHeader }),
      channel_id: 0,
    })
    return page(services, { filter, query, names: noNames, show })
  }
}

/** Unlike new-api, this applies the channel and user filters. */
export function listTasksOfAll(services: TaskServices): Handler<typeof taskRoutes.list> {
  return async ({ query, language, userHeader }) => {
    const filter = { ...taskFilter(query), ...(await filterOfAll(services, query)) }
    const show = (row: TaskRow, names: TaskNames) =>
      toWireTask(row, names, { services, language, userHeader })
    return page(services, { filter, query, names: namesFor(services), show })
  }
}

export function listOwnTasks(services: TaskServices): Handler<typeof taskRoutes.listOwn> {
  return ({ query, actor, language, userHeader }) => {
    const filter = { ...taskFilter(query), userId: actor.id }
    const show = (row: TaskRow, names: TaskNames) => ({
      ...toWireTask(row, names, { services, language, userHeader }),
      channel_id: 0,
    })
    return page(services, { filter, query, names: noNames, show })
  }
}

type AllQuery = Pick<z.output<typeof taskRoutes.list.query>, 'user_id' | 'username' | 'channel_id'>

/** An unknown user name matches no task. */
async function filterOfAll({ store }: TaskServices, query: AllQuery) {
  const { username, channel_id: channelId } = query
  if (username === undefined) return { userId: query.user_id, channelId }
  return { userId: (await userIdNamed(store, username)) ?? NOBODY, channelId }
}

const NOBODY = 0

/** Loads the names for the rows of a page. */
type Names = (rows: readonly TaskRow[]) => Promise<(row: TaskRow) => TaskNames>

function namesFor({ store }: TaskServices): Names {
  return async (rows) => {
    const [users, channels] = await Promise.all([
      usernames(store, [...new Set(rows.map((row) => row.user_id))]),
      channelNames(store, [...new Set(rows.map((row) => row.channel_id))]),
    ])
    return (row) => ({
      username: users.get(row.user_id) ?? '',
      channel_name: channels.get(row.channel_id) ?? '',
    })
  }
}

const noNames: Names = async () => () => ({ username: '', channel_name: '' })

interface PageInput<Shown> {
  readonly filter: TaskFilter
  readonly query: { readonly p: number; readonly page_size: number }
  readonly names: Names
  readonly show: (row: TaskRow, names: TaskNames) => Shown
}

/** Returns a bare array as new-api does, plus the total, which our console needs. */
async function page<Shown>({ store }: TaskServices, { filter, query, names, show }: PageInput<Shown>) {
  const { p, page_size: limit } = query
  const [rows, total] = await Promise.all([
    listTasks(store, filter, { offset: p * limit, limit }),
    countTasks(store, filter, TASK_TOTAL_MAX),
  ])
  const namesOf = await names(rows)
  return new Answer({ data: rows.map((row) => show(row, namesOf(row))), extra: { total } })
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

/** Filters are in whole seconds; the last second is included to its end. */
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
