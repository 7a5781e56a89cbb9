import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { pageRows, queryFilterId, queryTerm, totalExtra, zeroBasedPage } from './query.ts'
import { NAME_CHARACTERS_MAX, queryTime } from './reports.ts'
import { defineRoute, ownReading, siteReading } from './route.ts'

/** Tasks: drawings, songs and other work that upstreams finish asynchronously. */

const millisecondsSchema = z.int()

/** A drawing in new-api's format. */
export const drawingRowSchema = z.object({
  id: z.int(),
  /** Result code of the upstream: 1 submitted, 21 already exists, 22 queued; any other code is a refusal. */
  code: z.int(),
  user_id: z.int(),
  action: z.string(),
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: millisecondsSchema,
  start_time: millisecondsSchema,
  finish_time: millisecondsSchema,
  /** "" while there is no image. */
  image_url: z.string(),
  status: z.string(),
  progress: z.string(),
  fail_reason: z.string(),
  /** 0 for readers who are not administrators. */
  channel_id: z.int(),
  /** "" for readers who are not administrators, and for a deleted channel. */
  channel_name: z.string(),
  /** "" for readers who are not administrators. */
  username: z.string(),
  quota: quotaSchema,
  /** JSON text. */
  buttons: z.string(),
  /** JSON text. */
  properties: z.string(),
})
export type DrawingRow = z.infer<typeof drawingRowSchema>

export const taskRowSchema = z.object({
  id: z.int(),
  created_at: unixSecondsSchema,
  updated_at: unixSecondsSchema,
  task_id: z.string(),
  platform: z.string(),
  user_id: z.int(),
  /** 0 for readers who are not administrators. */
  channel_id: z.int(),
  /** "" for readers who are not administrators, and for a deleted channel. */
  channel_name: z.string(),
  /** "" for readers who are not administrators. */
  username: z.string(),
  quota: quotaSchema,
  action: z.string(),
  status: z.string(),
  fail_reason: z.string(),
  submit_time: unixSecondsSchema,
  start_time: unixSecondsSchema,
  finish_time: unixSecondsSchema,
  progress: z.string(),
  properties: z.unknown(),
  data: z.unknown(),
  /** Address of the result on this gateway, which needs no token; "" while there is none. */
  result_url: z.string(),
})
export type TaskRow = z.infer<typeof taskRowSchema>

/** `total` stops counting at this number. */
export const TASK_TOTAL_MAX = 100_000

const ID_CHARACTERS_MAX = 255

const paging = { p: zeroBasedPage, page_size: pageRows() }
const range = { start_timestamp: queryTime(1000), end_timestamp: queryTime(1000) }
const drawingQuery = z.object({ ...paging, ...range, mj_id: queryTerm(ID_CHARACTERS_MAX) })
const taskQuery = z.object({
  ...paging,
  ...range,
  platform: queryTerm(),
  task_id: queryTerm(ID_CHARACTERS_MAX),
  status: queryTerm(),
  action: queryTerm(),
})
const ofAll = {
  channel_id: queryFilterId(),
  user_id: queryFilterId(),
  username: queryTerm(NAME_CHARACTERS_MAX),
}

const everybody = { ...siteReading, extra: totalExtra } as const
const own = { ...ownReading, extra: totalExtra } as const

export const taskRoutes = {
  listDrawings: defineRoute({
    ...everybody,
    path: '/api/mj',
    summary: 'Drawings of all users, newest first; times in milliseconds',
    query: drawingQuery.extend(ofAll),
    data: z.array(drawingRowSchema),
  }),
  listOwnDrawings: defineRoute({
    ...own,
    path: '/api/mj/self',
    summary: 'The caller’s drawings, newest first; times in milliseconds',
    query: drawingQuery,
    data: z.array(drawingRowSchema),
  }),
  list: defineRoute({
    ...everybody,
    path: '/api/task',
    summary: 'Songs and other tasks of all users, newest first; times in seconds',
    query: taskQuery.extend(ofAll),
    data: z.array(taskRowSchema),
  }),
  listOwn: defineRoute({
    ...own,
    path: '/api/task/self',
    summary: 'The caller’s songs and other tasks, newest first; times in seconds',
    query: taskQuery,
    data: z.array(taskRowSchema),
  }),
} as const
