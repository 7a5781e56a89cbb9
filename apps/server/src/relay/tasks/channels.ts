import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { parseObject } from '@tollgate/dialects/json'
import type { TaskAsk } from '@tollgate/providers/tasks/task'
import type { TaskUpstream } from '@tollgate/providers/tasks/upstream'
import type { TaskRow } from '@tollgate/store/operations/tasks'
import type { Candidates, RosterChannel } from '../../snapshots/snapshots.ts'
import { channelsOf, pinnedCandidates } from '../../snapshots/roster.ts'
import { keyIndexOf, upstreamIdOf } from '../../tasks/step.ts'
import type { Choice } from '../stations/route/choice.ts'
import { drawChoice } from '../stations/route/route.ts'
import type { App } from '../app.ts'
import type { LaterOperation, TaskSize } from '../operations/later-operation.ts'
import type { TaskCall } from './task-call.ts'

/** The channels to which a task submission may be sent. */
export interface TaskChannels {
  readonly candidates: Candidates
  /** The channel and key of the original task, for a follow-up to it. */
  readonly fixed: Choice | undefined
  /** The upstream's id of the original task. */
  readonly originId: string | undefined
}

/** One of the groups that may serve a submission, in order. */
export interface TaskGroup {
  readonly group: string
  readonly channels: TaskChannels
}

interface Serving {
  readonly groups: readonly string[]
  readonly app: App
}

/** Uses the task's first model name if a channel serves it, else its other name. */
export function served(task: TaskCall, ask: TaskAsk, { groups, app }: Serving): TaskAsk {
  const { otherModel } = ask
  const { pinned } = task.caller
  if (otherModel === undefined) return ask
  const isServed = (model: string) =>
    pinned === undefined
      ? groups.some((group) => isMade(task, app.snapshots.roster().candidates(group, model)))
      : pinned.models.includes(model)
  return isServed(ask.model) ? ask : { ...ask, model: otherModel }
}

/** The groups that can serve the model, in the token's order; only the first group when none can. */
export function groupsServing(
  task: TaskCall,
  model: string,
  { groups, app }: Serving,
): readonly [string, ...(readonly string[])] {
  const [first, ...others] = groups.filter((group) =>
    isMade(task, app.snapshots.roster().candidates(group, model)),
  )
  return first === undefined ? [groups[0] ?? ''] : [first, ...others]
}

/** How a submission is made: what is requested, and the channels of each group that may serve it. */
export interface TaskPlan extends TaskGroup, TaskSize {
  /** Groups to try, in this order, when this one fails. */
  readonly fallbacks: readonly TaskGroup[]
  readonly prompt: string
}

interface Planned {
  readonly ask: TaskAsk
  readonly groups: readonly [string, ...(readonly string[])]
  readonly origin: TaskRow | undefined
}

/** Throws a Problem when the caller may not use the model, or its first group has no channel for it. */
export function planTask(task: TaskCall, { ask, groups, origin }: Planned, app: App): TaskPlan {
  const { caller, operation } = task
  const [group, ...others] = groups
  const channels = channelsFor(task, { ask, group, origin }, app)
  const mayMove = channels.fixed === undefined && caller.pinned === undefined
  const fallbacks = (mayMove && caller.token?.triesNextGroup === true ? others : []).map((name) => ({
    group: name,
    channels: channelsFor(task, { ask, group: name, origin }, app),
  }))
  const prompt = ask.prompt || originPrompt(origin)
  const size = operation.sizeOf?.(ask, makerOf(channels, operation)) ?? { ask }
  return { ...size, channels, group, fallbacks, prompt }
}

function channelsFor(
  { caller, operation }: TaskCall,
  { ask, group, origin }: { ask: TaskAsk; group: string; origin: TaskRow | undefined },
  app: App,
): TaskChannels {
  const { token, pinned } = caller
  const { model } = ask
  if (token?.models !== undefined && !token.models.has(model)) throw problem('model_not_allowed', { model })
  if (origin !== undefined) {
    const fixed = channelOf(origin, app)
    return { candidates: { model, tiers: [] }, fixed, originId: upstreamIdOf(origin) }
  }
  const free = { fixed: undefined, originId: undefined }
  if (pinned !== undefined) return { candidates: pinnedCandidates(pinned, model), ...free }
  const candidates = app.snapshots.roster().candidates(group, model)
  if (!isMade({ operation }, candidates)) throw problem('no_channel', { model, group })
  return { candidates, ...free }
}

/** The task support of the first candidate channel, which gives the defaults. */
function makerOf({ candidates, fixed }: TaskChannels, operation: LaterOperation): TaskUpstream | undefined {
  const channels = fixed ? [fixed.channel] : channelsOf(candidates)
  return channels.find((channel) => isMaker(channel, operation))?.provider.tasks
}

/** The prompt of the original task, because follow-up requests contain none. */
function originPrompt(origin: TaskRow | undefined): string {
  const prompt = origin && parseObject(origin.detail)?.['prompt']
  return typeof prompt === 'string' ? prompt : ''
}

/** Whether any candidate channel performs the operation. */
function isMade({ operation }: Pick<TaskCall, 'operation'>, { tiers }: Candidates): boolean {
  return tiers.some((tier) => tier.some((channel) => isMaker(channel, operation)))
}

function isMaker({ provider }: RosterChannel, { endsLater }: LaterOperation): boolean {
  return provider.tasks?.platform === endsLater.platform
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
  { call, operation, group, channels: { candidates, fixed } }: TaskCall & TaskGroup,
  app: App,
): Choice | undefined {
  if (fixed !== undefined) return call.trail.length === 0 ? fixed : undefined
  return drawChoice({ call, group, candidates }, (channel) => isMaker(channel, operation), app)
}
