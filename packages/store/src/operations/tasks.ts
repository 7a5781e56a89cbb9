import { type Selectable } from 'kysely'
import type { Where } from '../database/condition.ts'
import type { Page } from '../database/page.ts'
import type { Db } from '../tables/schema.ts'
import type { TaskTable } from '../tables/trade.ts'
import { countUpTo } from '../database/count-found.ts'

/**
 * Tasks that upstreams finish later. The ledger writes the row of a charged task, and also its end when it is
 * refunded.
 */
export type TaskRow = Selectable<TaskTable>

/** Final states: a task never leaves them. */
const ENDED_STATES = ['SUCCESS', 'FAILURE'] as const

export function isEnded({ status }: Pick<TaskRow, 'status'>): boolean {
  return ENDED_STATES.some((ended) => ended === status)
}

/** Inserts a task that costs nothing, so the ledger is not involved. */
export async function insertFreeTask(
  db: Db,
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

/** Returns false and changes nothing when the task's version is no longer the given one. */
export async function changeTask(
  db: Db,
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

/** Unfinished tasks after an id, ordered by id. */
export function listOpenTasks(
  db: Db,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<TaskRow[]> {
  return selectTasks(db)
    .where('status', 'not in', ENDED_STATES)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export interface OpenTasks {
  readonly count: number
  /** Submission time of the oldest open task; `undefined` when there is none. */
  readonly oldestMs: number | undefined
}

/** Written as ranges of the index on `status`, because most tasks have ended. */
export async function countOpenTasks(db: Db): Promise<OpenTasks> {
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

/** The newest of the user's rows with this task id; follow-up actions on a drawing share its id. */
export function findOwnTask(db: Db, task: OwnTask): Promise<TaskRow | undefined> {
  return selectTasks(db)
    .where('platform', '=', task.platform)
    .where('task_id', '=', task.taskId)
    .where('user_id', '=', task.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The user's rows for several task ids, oldest first. */
export function listOwnTasks(
  db: Db,
  { userId, platform, taskIds }: Omit<OwnTask, 'taskId'> & { readonly taskIds: readonly string[] },
): Promise<TaskRow[]> {
  return selectTasks(db)
    .where('platform', '=', platform)
    .where('task_id', 'in', [...taskIds])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

export interface TaskPageQuery {
  readonly userId: number
  readonly platform: string
  /** Id of the last row of the previous page. */
  readonly afterId?: number | undefined
  readonly isOldestFirst: boolean
  readonly limit: number
}

/**
 * Lists a user's tasks page by page. Tasks submitted meanwhile do not shift the pages. Rejected submissions
 * are left out.
 */
export function listTaskPage(
  db: Db,
  { userId, platform, afterId, isOldestFirst, limit }: TaskPageQuery,
): Promise<TaskRow[]> {
  const query = selectTasks(db)
    .where('user_id', '=', userId)
    .where('platform', '=', platform)
    .where(wasTaken)
    .orderBy('id', isOldestFirst ? 'asc' : 'desc')
    .limit(limit)
  if (afterId === undefined) return query.execute()
  return query.where('id', isOldestFirst ? '>' : '<', afterId).execute()
}

/**
 * A submission that no upstream accepted is stored without charge under the request id of its call. Its
 * caller never got a task id.
 */
function wasTaken(eb: Where<'tasks'>) {
  return eb.or([
    eb('status', '!=', 'FAILURE'),
    eb('quota', '>', 0n),
    eb('request_id', 'is', null),
    eb('task_id', '!=', eb.ref('request_id')),
  ])
}

/**
 * Deletes a task that has ended; its charge stays in the ledger. Returns false when the task has changed
 * meanwhile.
 */
export async function removeEndedTask(
  db: Db,
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

/** The newest rows with this task id, of all users. Two upstreams may use the same id. */
export function listTasksNamed(
  db: Db,
  { platform, taskId, limit }: Omit<OwnTask, 'userId'> & { readonly limit: number },
): Promise<TaskRow[]> {
  return selectTasks(db)
    .where('platform', '=', platform)
    .where('task_id', '=', taskId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findTaskOfCall(db: Db, requestId: string): Promise<TaskRow | undefined> {
  return selectTasks(db).where('request_id', '=', requestId).executeTakeFirst()
}

export interface TaskFilter {
  /** True: only drawings. False: everything else. */
  readonly isDrawing: boolean
  readonly userId?: number | undefined
  readonly channelId?: number | undefined
  readonly taskId?: string | undefined
  readonly platform?: string | undefined
  readonly action?: string | undefined
  readonly status?: string | undefined
  /** Inclusive, by time of submission. */
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
}

const DRAWING = 'mj'

/** Newest first. */
export function listTasks(db: Db, filter: TaskFilter, { offset, limit }: Page): Promise<TaskRow[]> {
  return matching(db, filter).selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute()
}

/** Counting stops at `max`. */
export function countTasks(db: Db, filter: TaskFilter, max: number): Promise<number> {
  return countUpTo(db, matching(db, filter).select('id'), max)
}

function matching(db: Db, filter: TaskFilter) {
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

function selectTasks(db: Db) {
  return db.selectFrom('tasks').selectAll()
}
