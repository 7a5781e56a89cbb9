import { parseObject } from '@tollgate/dialects/json'
import { randomToken } from '@tollgate/kit/ids'
import type { SubmitRoute, TaskAsk, TaskPlatform } from '@tollgate/providers/tasks/platform'
import type { TaskUpstream } from '@tollgate/providers/tasks/upstream'
import { linesOf } from '@tollgate/providers/tasks/video-size'
import type { App } from '../app.ts'
import type { Caller } from '../stations/admit/caller.ts'
import { countCall } from '../stations/admit/count-call.ts'
import { groupsOf } from '../stations/admit/group.ts'
import { textsIn } from '../stations/admit/texts-in.ts'
import { refuseWords, wordSearch } from '../stations/admit/words.ts'
import { channelsFor, isMade, originOf, type TaskChannels } from './channels.ts'
import type { AdmittedTask } from './held-task.ts'
import { callbackAddress } from './notify.ts'
import { readMembers } from './read-members.ts'
import type { TaskCall } from './task-call.ts'
import { viewOf } from './view.ts'

/** Checks what a submission requests, and finds the channels that may serve it. */
export async function admitTask(task: TaskCall, route: SubmitRoute, app: App): Promise<AdmittedTask> {
  const { call, caller, platform } = task
  const settings = app.snapshots.settings()
  await countCall({ call, caller, limits: settings.callLimits }, app)
  const body = await readMembers(task, app)
  const { refusedWords: filter } = settings
  if (filter !== undefined) await refuseWords(textsIn(body).join('\n'), wordSearch(filter, task, app))
  const secret = settings.tasks.passesNotices ? randomToken() : undefined
  const { passesAccountFilter, clearsModes, followsOnlySuccess } = settings.tasks
  const notifyUrl = callbackAddress(call.id, secret, settings.tasks)
  const requested = platform.readAsk(route, body, {
    passesAccountFilter,
    clearsModes,
    followsOnlySuccess,
    notifyUrl,
  })
  const origin = await originOf(task, requested, app)
  const followed = origin && platform.follow?.(requested, viewOf(origin, app))
  const groups = groupsOfCaller(caller, app)
  const asked = followed ?? served(task, requested, { groups, app })
  const [group, ...others] = groupsServing(task, asked.model, { groups, app })
  call.asked = { model: asked.model, group, isStream: false }
  const channels = channelsFor(task, { ask: asked, group, origin }, app)
  const maker = makerOf(channels, platform)
  const ask = withDefaults(asked, maker)
  const tokens = ask.work.type === 'video' ? maker?.tokens?.(ask.work) : undefined
  const mayMove = channels.fixed === undefined && caller.pinned === undefined
  const fallbacks = (mayMove && caller.token?.triesNextGroup === true ? others : []).map((name) => ({
    group: name,
    channels: channelsFor(task, { ask, group: name, origin }, app),
  }))
  return {
    ...task,
    ask,
    channels,
    group,
    fallbacks,
    settings,
    secret,
    prompt: ask.prompt || originPrompt(channels),
    tokens,
  }
}

/** The groups in which a caller may submit tasks, in order. */
function groupsOfCaller({ owner, token }: Caller, { snapshots }: App): readonly string[] {
  if (token === undefined) return [owner.group]
  return groupsOf({ owner, token }, snapshots.prices(), snapshots.settings().autoGroups)
}

interface Serving {
  readonly groups: readonly string[]
  readonly app: App
}

/** Uses the task's first model name if a channel serves it, else its other name. */
function served(task: TaskCall, ask: TaskAsk, { groups, app }: Serving): TaskAsk {
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
function groupsServing(
  task: TaskCall,
  model: string,
  { groups, app }: Serving,
): readonly [string, ...(readonly string[])] {
  const { owner, token } = task.caller
  if (token === undefined) return [owner.group]
  const [first, ...others] = groups.filter((group) =>
    isMade(task, app.snapshots.roster().candidates(group, model)),
  )
  return first === undefined ? [groups[0] ?? owner.group] : [first, ...others]
}

/**
 * If the caller gives no length or size, the upstream's defaults are used for the price and sent with the
 * request.
 */
function withDefaults(ask: TaskAsk, maker: TaskUpstream | undefined): TaskAsk {
  const { work, model } = ask
  if (work.type !== 'video') return ask
  const seconds = work.seconds ?? maker?.secondsDefault
  const resolution = linesOf(work) === undefined ? maker?.resolutionDefault : work.resolution
  const whole = { ...work, seconds, resolution }
  return { ...ask, work: maker?.make?.({ model, work: whole }) ?? whole }
}

/** The task support of the first candidate channel, which gives the defaults. */
function makerOf({ candidates, fixed }: TaskChannels, { id }: TaskPlatform): TaskUpstream | undefined {
  const channels = fixed ? [fixed.channel] : candidates.tiers.flat()
  return channels.find(({ provider }) => provider.tasks?.platform === id)?.provider.tasks
}

/** The prompt of the original task, because follow-up requests contain none. */
function originPrompt({ origin }: TaskChannels): string {
  const prompt = origin && parseObject(origin.detail)?.['prompt']
  return typeof prompt === 'string' ? prompt : ''
}
