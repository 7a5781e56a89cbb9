import { randomToken } from '@tollgate/kit/ids'
import { chooseMemberPolicy } from '../../snapshots/member-policy.ts'
import type { RelaySettings } from '../../snapshots/relay-settings.ts'
import type { App } from '../app.ts'
import type { SubmitRoute } from '../operations/task-api.ts'
import { countCall } from '../stations/admit/count-call.ts'
import { groupsOf } from '../stations/admit/group.ts'
import { textsIn } from '../stations/admit/texts-in.ts'
import { refuseWords, wordSearch } from '../stations/admit/words.ts'
import { refuseKnown } from '../stations/record/refusals.ts'
import { groupsServing, planTask, served, type TaskPlan } from './channels.ts'
import { callbackAddress } from './notify.ts'
import { originOf, viewOf } from './own-task.ts'
import { readTaskBody } from './read-body.ts'
import { membersIn } from './read-members.ts'
import type { TaskCall } from './task-call.ts'

/** A task submission that passed admission. */
export interface AdmittedTask extends TaskCall, TaskPlan {
  readonly settings: RelaySettings
  /** The secret that a callback for this task must contain; `undefined` when callbacks are not accepted. */
  readonly secret: string | undefined
}

/** Checks what a submission requests, and finds the channels that may serve it. */
export async function admitTask(task: TaskCall, route: SubmitRoute, app: App): Promise<AdmittedTask> {
  const { call, caller, operation, api } = task
  const { owner, token } = caller
  const settings = app.snapshots.settings()
  await countCall({ call, caller, limits: settings.callLimits }, app)
  const bytes = await readTaskBody(task, app)
  const policy = chooseMemberPolicy(operation.name, owner, settings)
  const { body, names } = await membersIn(bytes, { ...task, policy }, app)
  if (names !== undefined) {
    call.taken = names.taken
    call.unknownMembers = names.unknown
  }
  const search = settings.refusedWords && wordSearch(settings.refusedWords, task, app)
  if (search !== undefined) await refuseWords(textsIn(body).join('\n'), search)
  const secret = settings.tasks.passesNotices ? randomToken() : undefined
  const { passesAccountFilter, clearsModes, followsOnlySuccess } = settings.tasks
  const notifyUrl = callbackAddress(task, secret, settings.tasks)
  const requested = api.readAsk(route, body, {
    passesAccountFilter,
    clearsModes,
    followsOnlySuccess,
    notifyUrl,
  })
  const origin = await originOf(task, requested, app)
  const followed = origin && operation.follow?.(requested, viewOf(origin, app))
  const prices = app.snapshots.prices()
  const groups = token ? groupsOf({ owner, token }, prices, settings.autoGroups) : [owner.group]
  const ask = followed ?? served(task, requested, { groups, app })
  const serving = groupsServing(task, ask.model, { groups, app })
  try {
    return { ...task, ...planTask(task, { ask, groups: serving, origin }, app), settings, secret }
  } catch (error) {
    return refuseKnown(error, { call, caller, ask, group: serving[0] })
  }
}
