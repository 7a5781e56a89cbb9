import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import type { TaskAsk, TaskPlatform } from '@tollgate/providers/tasks/platform'
import { type TaskRow, findOwnTask } from '@tollgate/store/operations/tasks'
import type { Candidates, RosterChannel } from '../../snapshots/snapshots.ts'
import { pinnedCandidates } from '../../snapshots/roster.ts'
import { keyIndexOf } from '../../tasks/step.ts'
import type { Choice } from '../stations/route/choice.ts'
import { drawChoice } from '../stations/route/route.ts'
import type { App } from '../app.ts'
import type { TaskCall } from './task-call.ts'

/** The channels to which a task submission may be sent. */
export interface TaskChannels {
  readonly candidates: Candidates
  /** The channel and key of the original task, for a follow-up to it. */
  readonly fixed: Choice | undefined
  readonly origin: TaskRow | undefined
}

/** One of the groups that may serve a submission, in order. */
export interface GroupPlan {
  readonly group: string
  readonly channels: TaskChannels
}

export function channelsFor(
  { caller, platform }: TaskCall,
  { ask, group, origin }: { ask: TaskAsk; group: string; origin: TaskRow | undefined },
  app: App,
): TaskChannels {
  const { token, pinned } = caller
  const { model } = ask
  if (token?.models !== undefined && !token.models.has(model)) throw problem('model_not_allowed', { model })
  if (origin !== undefined) return { candidates: { model, tiers: [] }, fixed: channelOf(origin, app), origin }
  if (pinned !== undefined) return { candidates: pinnedCandidates(pinned, model), fixed: undefined, origin }
  const candidates = app.snapshots.roster().candidates(group, model)
  if (!isMade({ platform }, candidates)) throw problem('no_channel', { model, group })
  return { candidates, fixed: undefined, origin }
}

/** The caller's earlier task that a submission refers to. */
export async function originOf(task: TaskCall, { origin }: TaskAsk, app: App): Promise<TaskRow | undefined> {
  if (origin === undefined) return undefined
  const row = await ownTask(task, origin.taskId, app)
  if (origin.mustHaveSucceeded && row.status !== 'SUCCESS') throw problem('task_status_not_success')
  return row
}

/** Whether any candidate channel supports the task platform. */
export function isMade({ platform }: Pick<TaskCall, 'platform'>, { tiers }: Candidates): boolean {
  return tiers.some((tier) => tier.some((channel) => isMaker(channel, platform)))
}

function isMaker({ provider }: RosterChannel, { id }: TaskPlatform): boolean {
  return provider.tasks?.platform === id
}

/** Finds a task of the caller; throws `task_not_found` for other users' tasks too. */
export async function ownTask(
  { caller, platform }: Pick<TaskCall, 'caller' | 'platform'>,
  taskId: string,
  { db }: Pick<App, 'db'>,
): Promise<TaskRow> {
  const row = await findOwnTask(db, { userId: caller.owner.id, platform: platform.id, taskId })
  if (row === undefined) throw problem('task_not_found')
  return row
}

/**
 * The channel of a task, with the key it was submitted with, because the upstream knows the task only under
 * that key.
 */
export function channelOf(row: TaskRow, { snapshots }: Pick<App, 'snapshots'>): Choice {
  const channel = snapshots.roster().channel(row.channel_id)
  const isThere =
    channel?.status === CHANNEL_STATUS.enabled && channel.provider.tasks?.platform === row.platform
  if (!isThere) throw problem('task_channel_disabled')
  return { channel, keyIndex: keyIndexOf(row, channel.keys.length) }
}

/** The channel and key for the next attempt; `undefined` when none is left. */
export function routeTask(
  { call, platform, group, channels: { candidates, fixed } }: TaskCall & GroupPlan,
  app: App,
): Choice | undefined {
  if (fixed !== undefined) return call.trail.length === 0 ? fixed : undefined
  return drawChoice({ call, group, candidates }, (channel) => isMaker(channel, platform), app)
}
