import { TASK_REASON } from '@tollgate/contract/task-words'
import { Problem } from '@tollgate/problems/problem'
import { isRecord, parseObject } from '@tollgate/dialects/json'
import { parseJson } from '@tollgate/kit/json'
import type { TaskUpdate } from '@tollgate/providers/tasks/task'
import type { TaskRequest, TaskUpstream } from '@tollgate/providers/tasks/upstream'
import { type TaskRow, changeTask, listOpenTasks } from '@tollgate/store/operations/tasks'
import type { Snapshots, RosterChannel } from '../snapshots/snapshots.ts'
import { applyUpdate, failTask, type TaskUpdatePorts } from '../tasks/apply-update.ts'
import { type AskPorts, askUpstream, channelPlace } from '../tasks/ask-upstream.ts'
import { failingOf, keyIndexOf, upstreamIdOf } from '../tasks/step.ts'
import type { Job } from './job.ts'

export interface PollParts extends TaskUpdatePorts, AskPorts {
  readonly snapshots: Pick<Snapshots, 'roster'>
}

const EVERY_MS = 15_000

/** Polls upstreams for the status of unfinished tasks, and fails tasks that are lost. */
export function pollTasksJob(parts: PollParts): Job {
  return { name: 'poll-tasks', everyMs: EVERY_MS, runs: 'once', run: () => pollTasks(parts) }
}

const ROWS_AT_ONCE = 500

/** Polls all open tasks, in slices by id, so that stuck tasks do not keep newer ones from being polled. */
export async function pollTasks(parts: PollParts): Promise<void> {
  let afterId = 0
  for (;;) {
    const rows = await listOpenTasks(parts.db, { afterId, limit: ROWS_AT_ONCE })
    await eachOf(groupsOf(rows, parts), (group) => pollGroup(group, parts))
    const last = rows.at(-1)
    if (rows.length < ROWS_AT_ONCE || last === undefined) return
    afterId = last.id
  }
}

/** Number of polls in parallel, because some upstreams report only one task per request. */
const ASKED_AT_ONCE_MAX = 16

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  const workers = Array.from({ length: ASKED_AT_ONCE_MAX }, async () => {
    for (const item of left) await work(item)
  })
  await Promise.all(workers)
}

/** Tasks polled together: same platform, same channel and same key. */
interface Group {
  /** `undefined` when the channel has been deleted, or its provider does not support such tasks. */
  readonly maker: TaskUpstream | undefined
  /** May be a disabled channel, whose tasks continue. `undefined` when it has been deleted. */
  readonly channel: RosterChannel | undefined
  readonly keyIndex: number
  readonly rows: readonly TaskRow[]
}

function groupsOf(rows: readonly TaskRow[], { snapshots }: PollParts): readonly Group[] {
  const roster = snapshots.roster()
  const together = Map.groupBy(rows, (row) => {
    const keys = roster.channel(row.channel_id)?.keys.length ?? 0
    return `${row.platform}:${row.channel_id}:${keyIndexOf(row, keys)}`
  })
  return [...together.values()].flatMap((group) => inPieces(groupOf(group, roster)))
}

function groupOf(rows: readonly TaskRow[], roster: ReturnType<Snapshots['roster']>): Group {
  const [first] = rows
  const channel = first && roster.channel(first.channel_id)
  const tasks = channel?.provider.tasks
  const maker = tasks?.platform === first?.platform ? tasks : undefined
  return { maker, channel, rows, keyIndex: first && channel ? keyIndexOf(first, channel.keys.length) : 0 }
}

function inPieces(group: Group): readonly Group[] {
  const { rows, maker } = group
  const size = maker?.idsPerPoll ?? rows.length
  const pieces: Group[] = []
  for (let from = 0; from < rows.length; from += size)
    pieces.push({ ...group, rows: rows.slice(from, from + size) })
  return pieces
}

/** Catches every error, so that a failure of one group does not affect the others. */
async function pollGroup(group: Group, parts: PollParts): Promise<void> {
  try {
    if (group.channel === undefined) return await failAll(group, parts)
    const update = await askFor(group, group.channel, parts)
    for (const row of group.rows) await updateTask(row, { update, parts })
  } catch (error) {
    parts.log.error(
      { error, channelId: group.rows[0]?.channel_id },
      'could not poll or update the tasks of a channel',
    )
  }
}

async function failAll({ rows }: Group, parts: PollParts): Promise<void> {
  for (const row of rows) await failTask(parts, row, { reason: TASK_REASON.channelGone })
}

const POLL_MS = 15_000
const POLL_BYTES_MAX = 8 * 1024 * 1024

/**
 * Task updates by the upstream's task id. `undefined` when the upstream gave no usable response, which says
 * nothing about any task.
 */
async function askFor(
  { maker, rows, keyIndex }: Group,
  channel: RosterChannel,
  { egress, accessTokens, log, clock }: PollParts,
): Promise<ReadonlyMap<string, TaskUpdate> | undefined> {
  const named = new Map(rows.filter(isNamed).map((row) => [upstreamIdOf(row), row]))
  if (named.size === 0 || maker === undefined) return undefined
  const tasks = [...named].map(([taskId, { action }]) => ({ taskId, action }))
  const request = maker.poll(tasks, channelPlace(channel, keyIndex))
  const bytesMax = maker.pollBytesMax ?? POLL_BYTES_MAX
  const limits = { timeoutMs: POLL_MS, bytesMax, nowMs: clock.nowMs() }
  try {
    const ask = async (asked: TaskRequest) => {
      const asking = { channel, keyIndex, request: asked, ...limits }
      const { status, body } = await askUpstream(asking, { egress, accessTokens })
      return { status, body: parseJson(body) }
    }
    const answer = await ask(request)
    const next = isRecord(answer.body) ? maker.pollMore?.(answer.body) : undefined
    const more = next && (await ask(next)).body
    const update = maker.readPoll({ ...answer, ...(more !== undefined && { more }) }, tasks)
    return update && new Map(update.map((item) => [item.taskId, item]))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    log.warn({ channelId: channel.id, code: error.code }, 'a channel did not report on its tasks')
    return undefined
  }
}

/** A task whose submission had an unknown outcome has no upstream id. */
function isNamed({ status, task_id: taskId }: TaskRow): boolean {
  return status !== 'UNKNOWN' && taskId !== ''
}

interface Asked {
  readonly update: ReadonlyMap<string, TaskUpdate> | undefined
  readonly parts: PollParts
}

/** Applies the upstream's update to one task. Updates for tasks that were not requested are ignored. */
async function updateTask(row: TaskRow, { update, parts }: Asked): Promise<void> {
  const failing = failingOf(row)
  if (failing !== undefined) return void (await failTask(parts, row, { reason: failing }))
  const own = update?.get(upstreamIdOf(row))
  const isOver = row.deadline_ms > 0 && parts.clock.nowMs() >= row.deadline_ms
  if (isOver && !isEnding(own)) await failTask(parts, row, { reason: TASK_REASON.tooLate })
  else if (own !== undefined) await applyUpdate(parts, row, own)
  else if (update !== undefined && isNamed(row)) await countMissed(row, parts)
}

function isEnding(update: TaskUpdate | undefined): boolean {
  return update?.status === 'SUCCESS' || update?.status === 'FAILURE'
}

/** A task missing from this many polls in a row, which is five minutes, is failed. */
const MISSED_MAX = 20

async function countMissed(row: TaskRow, parts: PollParts): Promise<void> {
  const detail = parseObject(row.detail) ?? {}
  const before = detail['missed']
  const missed = (typeof before === 'number' ? before : 0) + 1
  if (missed >= MISSED_MAX) {
    await failTask(parts, row, { reason: TASK_REASON.forgotten })
    return
  }
  const change = { detail: JSON.stringify({ ...detail, missed }), updated_ms: parts.clock.nowMs() }
  await changeTask(parts.db, { id: row.id, version: row.version, change })
}
