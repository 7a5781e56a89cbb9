import { chargeUnits } from '@tollgate/billing/charge'
import { priceToJson } from '@tollgate/billing/recompute'
import { parseObject } from '@tollgate/dialects/json'
import { randomToken } from '@tollgate/kit/ids'
import { problem, type Problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import type { SubmitRoute, TaskAsk, TaskPlatform, TaskRefused } from '@tollgate/providers/tasks/platform'
import type { TaskUpstream } from '@tollgate/providers/tasks/upstream'
import { linesOf } from '@tollgate/providers/tasks/video-size'
import { isTrusted } from '../../snapshots/trust.ts'
import { countCall } from '../stations/admit/count-call.ts'
import { groupsOf } from '../stations/admit/group.ts'
import { textsIn } from '../stations/admit/texts-in.ts'
import { refuseWords, wordSearch } from '../stations/admit/words.ts'
import { refusalOf } from '../stations/hold/refusal.ts'
import { ledgerLimits, reserve } from '../stations/hold/reserve.ts'
import type { Choice } from '../stations/route/choice.ts'
import { answerJson } from './answer.ts'
import { isMade, nextChoice, originOf, channelsFor, type GroupPlan, type TaskChannels } from './channels.ts'
import { type HeldTask, usageOf } from './held-task.ts'
import { callbackAddress } from './notify.ts'
import type { App } from '../app.ts'
import type { TaskCall } from './task-call.ts'
import { priceOf } from './price.ts'
import { readMembers } from './read-members.ts'
import { sendTask, type Sent } from './send.ts'
import { settleAccepted, settleRefused, settleUnknown } from './settle.ts'
import { viewOf } from './view.ts'

/**
 * Submits a task: places the hold, sends the request, on acceptance charges and stores the task in one
 * transaction, then responds. If it is unknown whether the upstream accepted it, the task is stored too, and
 * refunded at its deadline.
 */
export async function submitTask(task: TaskCall, route: SubmitRoute, app: App): Promise<void> {
  const { call, caller, platform } = task
  const settings = app.snapshots.settings()
  await countCall({ call, caller, limits: settings.callLimits }, app)
  const body = await readMembers(task, app)
  const { refusedWords: filter } = settings
  if (filter !== undefined) await refuseWords(textsIn(body).join('\n'), wordSearch(filter, task, app))
  const secret = settings.tasks.passesNotices ? randomToken() : undefined
  const { passesAccountFilter, clearsModes, followsOnlySuccess } = settings.tasks
  const notifyUrl = callbackAddress(call.id, secret, settings.tasks)
  const told = platform.readAsk(route, body, {
    passesAccountFilter,
    clearsModes,
    followsOnlySuccess,
    notifyUrl,
  })
  const origin = await originOf(task, told, app)
  const followed =
    origin && platform.follow ? platform.follow(told, viewOf(origin, app)) : served(task, told, app)
  const [group, ...others] = groupsFor(task, followed.model, app)
  call.asked = { model: followed.model, group, isStream: false }
  const channels = channelsFor(task, { ask: followed, group, origin }, app)
  const maker = makerOf(channels, platform)
  const ask = withDefaults(followed, maker)
  const tokens = ask.work.type === 'video' ? maker?.tokens?.(ask.work) : undefined
  const prompt = ask.prompt || originPrompt(channels)
  const mayMove = channels.fixed === undefined && caller.pinned === undefined
  const plans = (mayMove && caller.token?.triesNextGroup === true ? others : []).map((name) => ({
    group: name,
    channels: channelsFor(task, { ask, group: name, origin }, app),
  }))
  const held = await hold({ ...task, ask, channels, group, settings, secret, prompt, tokens }, plans, app)
  await settle(await attempts(held, app), app)
}

/** Uses the task's first model name if a channel serves it, else its other name. */
function served(task: TaskCall, ask: TaskAsk, { snapshots }: App): TaskAsk {
  const { otherModel } = ask
  const { owner, token, pinned } = task.caller
  if (otherModel === undefined) return ask
  const groups =
    token === undefined
      ? [owner.group]
      : groupsOf({ owner, token }, snapshots.prices(), snapshots.settings().autoGroups)
  const isServed = (model: string) =>
    pinned === undefined
      ? groups.some((group) => isMade(task, snapshots.roster().candidates(group, model)))
      : pinned.models.includes(model)
  return isServed(ask.model) ? ask : { ...ask, model: otherModel }
}

/** The groups that can serve the model, in the token's order; only the first group when none can. */
function groupsFor(
  task: TaskCall,
  model: string,
  { snapshots }: App,
): readonly [string, ...(readonly string[])] {
  const { owner, token } = task.caller
  if (token === undefined) return [owner.group]
  const groups = groupsOf({ owner, token }, snapshots.prices(), snapshots.settings().autoGroups)
  const [first, ...others] = groups.filter((group) =>
    isMade(task, snapshots.roster().candidates(group, model)),
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

type Unpriced = Omit<HeldTask, 'price' | 'units' | 'ceiling' | 'holdMs' | 'next' | 'isMoved'>

/** Holds the highest price of the task's groups. A following group without a price is skipped. */
async function hold(task: Unpriced, others: readonly GroupPlan[], app: App): Promise<HeldTask> {
  const { call, caller } = task
  const startedAt = app.clock.monotonicMs()
  const first = priced(task, app)
  if (first === undefined) throw problem('model_price_error', { model: task.ask.model })
  const rest = others.flatMap((plan) => priced({ ...task, ...plan }, app) ?? [])
  const units = [first, ...rest]
    .map((plan) => plan.units)
    .reduce((left, right) => (left > right ? left : right))
  const limits = ledgerLimits(caller.token, app.clock.nowMs())
  const { settings } = task
  const input = {
    holdId: call.id,
    userAccount: accountId('user', caller.owner.id),
    ...(caller.token && { tokenAccount: accountId('token', caller.token.id) }),
    amount: units,
    ceiling: units,
    priceJson: priceToJson(first.price),
    ...(limits && { limits }),
    overdraft: { factor: settings.overdraftFactor, admitsAlone: true },
  }
  const result = await reserve(app.ledger, input, isTrusted(caller.owner, settings))
  if (result.type !== 'reserved') throw refusalOf(result, { caller, settings, needed: units, app })
  const common = { ceiling: units, holdMs: app.clock.monotonicMs() - startedAt }
  const next = rest.reduceRight<HeldTask | undefined>(
    (after, plan) => ({ ...plan, ...common, isMoved: true, ...(after && { next: after }) }),
    undefined,
  )
  return { ...first, ...common, ...(next && { next }) }
}

function priced(task: Unpriced, app: App) {
  const price = priceOf(task, app.snapshots.prices())
  return price && { ...task, price, units: chargeUnits(price, usageOf({ ...task, price })) }
}

interface Tried {
  /** The submission in the group that was tried last. */
  readonly held: HeldTask
  readonly choice: Choice | undefined
  readonly sent: Sent | undefined
}

/** Tries one group after the other, as long as it is certain that the last one did not begin the work. */
async function attempts(first: HeldTask, app: App): Promise<Tried> {
  let tried: Tried = { held: first, choice: undefined, sent: undefined }
  for (let held: HeldTask | undefined = first; held !== undefined; held = held.next) {
    tried = await attemptsIn(held, tried, app)
    if (tried.sent !== undefined && !mayTryAgain(tried.sent)) return tried
  }
  return tried
}

/** Tries one channel after the other, like other calls. */
async function attemptsIn(held: HeldTask, before: Tried, app: App): Promise<Tried> {
  const { call, caller, group, settings } = held
  let tried = before
  for (let tries = 1; ; tries++) {
    const choice = nextChoice(held, app)
    if (choice === undefined) return tried
    // The log row names the group that serves the task.
    if (call.asked !== undefined) call.asked = { ...call.asked, group }
    const sent = await attemptOnce(held, choice, app)
    tried = { held, choice, sent }
    if (!mayTryAgain(sent) || caller.pinned !== undefined || tries > settings.retryTimes) return tried
  }
}

/** How long a key cools down after its upstream refused a submission. */
const REST_MS = 30_000

async function attemptOnce(held: HeldTask, choice: Choice, app: App): Promise<Sent> {
  const { clock, health } = app
  const { channel, keyIndex } = choice
  const startedAt = clock.monotonicMs()
  const sent = await sendTask(held, choice, app).catch((error: unknown) => bugOf(held, error, app))
  const now = clock.monotonicMs()
  held.call.trail.push({
    channelId: channel.id,
    keyIndex,
    group: held.group,
    outcome: outcomeOf(sent),
    status: sent.type === 'reply' ? sent.status : 0,
    durationMs: now - startedAt,
  })
  if (isOwnFault(sent)) return sent
  if (mayTryAgain(sent)) health.coolDown(channel, keyIndex, now + (askedToWait(sent) ?? REST_MS))
  else health.succeeded(channel, keyIndex)
  if (sent.type === 'reply' && sent.reply.type === 'refused')
    tellDead(held, choice, { refused: sent.reply, app })
  return sent
}

function tellDead(
  { settings }: HeldTask,
  { channel }: Choice,
  { refused, app }: { refused: TaskRefused; app: App },
): void {
  if (!refused.isChannelDead || !settings.isAutomaticDisable || !channel.isAutoBan) return
  app.onChannelRefused(channel.id, { code: refused.code, status: 200, detail: refused.reason })
}

function outcomeOf(sent: Sent): string {
  if (sent.type === 'reply') return sent.reply.type === 'accepted' ? 'ok' : sent.reply.code
  return sent.type === 'unsent' ? sent.problem.code : 'outcome_unknown'
}

function askedToWait(sent: Sent): number | undefined {
  return sent.type === 'reply' ? sent.retryAfterMs : undefined
}

/**
 * Whether the failure is caused by the request: this provider cannot do what it asks. That says nothing about
 * the key, and another provider may be able to.
 */
function isOwnFault(sent: Sent): boolean {
  return sent.type === 'unsent' && sent.problem.definition.fault === 'caller'
}

function mayTryAgain(sent: Sent): boolean {
  if (sent.type === 'reply') return sent.reply.type === 'refused' && sent.reply.isRetryable
  return sent.type === 'unsent'
}

/** The result for a bug of the gateway during the attempt: the request may or may not have been sent. */
function bugOf({ call }: HeldTask, error: unknown, { log }: App): Sent {
  log.error({ error, requestId: call.id }, 'a task submission failed because of a bug')
  return { type: 'unknown', detail: 'internal' }
}

async function settle({ held, choice, sent }: Tried, app: App): Promise<void> {
  const { call, ask, group, platform } = held
  if (choice === undefined || sent === undefined) {
    const none = problem('no_channel', { model: ask.model, group })
    await settleRefused(
      held,
      { reason: none.textIn('en'), code: none.code, detail: {}, choice: undefined, problem: none },
      app,
    )
    throw none
  }
  if (sent.type === 'unknown') {
    await settleUnknown(held, { choice, detail: sent.detail }, app)
    throw problem('task_outcome_unknown', { task: call.id })
  }
  if (sent.type === 'unsent') throw await notSent(held, { choice, failure: sent.problem }, app)
  const { reply } = sent
  if (reply.type === 'refused') {
    call.counted?.failed()
    await settleRefused(held, { ...reply, choice }, app)
    const { status } = reply
    const retryAfterMs = askedToWait(sent)
    return answerJson(call, { status, body: refusedBody(held, reply), retryAfterMs, isError: true })
  }
  const row = await settleAccepted(held, { choice, reply }, app)
  const shown = platform.showAccepted?.(viewOf(row, app))
  answerJson(call, reply.answer ?? { status: 200, body: shown })
}

/** Unlike new-api: where the operator hides upstream errors, the reason of a refused task is hidden too. */
function refusedBody({ platform, settings }: HeldTask, refused: TaskRefused): unknown {
  if (refused.answer !== undefined) return refused.answer
  const isHidden = settings.isUpstreamErrorHidden && refused.status !== TOO_MANY
  const reason = isHidden ? `Upstream error with status code ${refused.status}` : refused.reason
  return platform.showRefused?.({ ...refused, reason })
}

const TOO_MANY = 429

async function notSent(
  held: HeldTask,
  { choice, failure }: { choice: Choice; failure: Problem },
  app: App,
): Promise<Problem> {
  const { code } = failure
  const reason = failure.textIn('en')
  await settleRefused(held, { reason, code, detail: {}, choice, problem: failure }, app)
  return failure
}
