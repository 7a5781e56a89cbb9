import { type ExpressionBuilder, type Kysely, type Selectable } from 'kysely'
import type { Page } from './page.ts'
import type { Database } from './schema.ts'
import type { TaskTable } from './trade-tables.ts'

/** Work that upstreams do on their own time. A charged row comes from the ledger, and so does its refunded end. */
export type TaskRow = Selectable<TaskTable>

/** What follows these is never anything else. */
export const ENDED_STATES = ['SUCCESS', 'FAILURE'] as const

/** A row that cost nothing: the ledger has no part in it. */
export async function insertFreeTask(
  db: Kysely<Database>,
  row: Omit<TaskTable, 'id' | 'quota' | 'version'>,
): Promise<void> {
  await db
    .insertInto('tasks')
    .values({ ...row, quota: 0n, version: 1 })
    .execute()
}

export type TaskChange = Partial<
  Pick<
    TaskTable,
    | 'task_id'
    | 'status'
    | 'progress'
    | 'fail_reason'
    | 'start_ms'
    | 'finish_ms'
    | 'detail'
    | 'updated_ms'
    | 'deadline_ms'
  >
>

/** False when the row is no longer in the version this was decided from: then nothing is changed. */
export async function changeTask(
  db: Kysely<Database>,
  { id, version, change }: { readonly id: number; readonly version: number; readonly change: TaskChange },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('tasks')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Unfinished ones after an id, in the order of ids. */
export function listOpenTasks(
  db: Kysely<Database>,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<TaskRow[]> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('status', 'not in', ENDED_STATES)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export interface OpenTasks {
  readonly count: number
  /** When the oldest of them was handed in; `undefined` without any. */
  readonly oldestMs: number | undefined
}

/** By ranges of the index: most tasks have ended. */
export async function countOpenTasks(db: Kysely<Database>): Promise<OpenTasks> {
  const [last, first] = ENDED_STATES
  const row = await db
    .selectFrom('tasks')
    .select((select) => [select.fn.countAll().as('count'), select.fn.min('submit_ms').as('oldest')])
    .where((where) =>
      where.or([
        where('status', '<', first),
        where.and([where('status', '>', first), where('status', '<', last)]),
        where('status', '>', last),
      ]),
    )
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), oldestMs: row.oldest ?? undefined }
}

export interface OwnTask {
  readonly userId: number
  readonly platform: string
  readonly taskId: string
}

/** The newest of a user's rows for it: follow-ups of one drawing share its id. */
export function findOwnTask(db: Kysely<Database>, task: OwnTask): Promise<TaskRow | undefined> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('platform', '=', task.platform)
    .where('task_id', '=', task.taskId)
    .where('user_id', '=', task.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A user's rows for several ids, oldest first. */
export function listOwnTasks(
  db: Kysely<Database>,
  { userId, platform, taskIds }: Omit<OwnTask, 'taskId'> & { readonly taskIds: readonly string[] },
): Promise<TaskRow[]> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('platform', '=', platform)
    .where('task_id', 'in', [...taskIds])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

export interface TaskPageQuery {
  readonly userId: number
  readonly platform: string
  /** The last row of the page before. */
  readonly afterId?: number | undefined
  readonly isOldestFirst: boolean
  readonly limit: number
}

/** A user's tasks, page after page: what is handed in meanwhile moves none of them. Refused submissions are none. */
export function listTaskPage(
  db: Kysely<Database>,
  { userId, platform, afterId, isOldestFirst, limit }: TaskPageQuery,
): Promise<TaskRow[]> {
  const query = db
    .selectFrom('tasks')
    .selectAll()
    .where('user_id', '=', userId)
    .where('platform', '=', platform)
    .where(wasTaken)
    .orderBy('id', isOldestFirst ? 'asc' : 'desc')
    .limit(limit)
  if (afterId === undefined) return query.execute()
  return query.where('id', isOldestFirst ? '>' : '<', afterId).execute()
}

/** A submission that nobody took is kept under the id of its call, for free; its caller was given no task. */
function wasTaken(eb: ExpressionBuilder<Database, 'tasks'>) {
  return eb.or([
    eb('status', '!=', 'FAILURE'),
    eb('quota', '>', 0n),
    eb('request_id', 'is', null),
    eb('task_id', '!=', eb.ref('request_id')),
  ])
}

/** One that has ended; its charge stays in the books. False when it was changed meanwhile. */
export async function removeEndedTask(
  db: Kysely<Database>,
  { id, version }: { readonly id: number; readonly version: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tasks')
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', 'in', ENDED_STATES)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Everybody's newest rows for an id; ids of two upstreams may be the same. */
export function listTasksNamed(
  db: Kysely<Database>,
  { platform, taskId, limit }: Omit<OwnTask, 'userId'> & { readonly limit: number },
): Promise<TaskRow[]> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('platform', '=', platform)
    .where('task_id', '=', taskId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findTaskOfCall(db: Kysely<Database>, requestId: string): Promise<TaskRow | undefined> {
  return db.selectFrom('tasks').selectAll().where('request_id', '=', requestId).executeTakeFirst()
}

export interface TaskFilter {
  /** Only drawings, or everything else. */
  readonly isDrawing: boolean
  readonly userId?: number | undefined
  readonly channelId?: number | undefined
  readonly taskId?: string | undefined
  readonly platform?: string | undefined
  readonly action?: string | undefined
  readonly status?: string | undefined
  /** Inclusive, of the submission. */
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
}

const DRAWING = 'mj'

/** Newest first. */
export function listTasks(
  db: Kysely<Database>,
  filter: TaskFilter,
  { offset, limit }: Page,
): Promise<TaskRow[]> {
  return matching(db, filter).selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute()
}

/** Counts no further than `max`. */
export async function countTasks(db: Kysely<Database>, filter: TaskFilter, max: number): Promise<number> {
  const { count } = await db
    .selectFrom(matching(db, filter).select('id').limit(max).as('found'))
    .select((row) => row.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function matching(db: Kysely<Database>, filter: TaskFilter) {
  const { userId, channelId, taskId, platform, action, status, fromMs, untilMs } = filter
  return db
    .selectFrom('tasks')
    .where('platform', filter.isDrawing ? '=' : '!=', DRAWING)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .$if(channelId !== undefined, (query) => query.where('channel_id', '=', channelId ?? 0))
    .$if(taskId !== undefined, (query) => query.where('task_id', '=', taskId ?? ''))
    .$if(platform !== undefined, (query) => query.where('platform', '=', platform ?? ''))
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
    .$if(fromMs !== undefined, (query) => query.where('submit_ms', '>=', fromMs ?? 0))
    .$if(untilMs !== undefined, (query) => query.where('submit_ms', '<=', untilMs ?? 0))
}
