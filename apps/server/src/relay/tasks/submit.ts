import { chargeUnits } from '@tollgate/billing/charge'
import { priceToJson } from '@tollgate/billing/recompute'
import { parseObject } from '@tollgate/dialects/json'
import { randomToken } from '@tollgate/kit/ids'
import { problem, type Problem } from '@tollgate/kit/problem'
import { accountId } from '@tollgate/ledger/ledger'
import type { SubmitRoute, TaskAsk, TaskPlatform, TaskRefused } from '@tollgate/providers/tasks/platform'
import type { TaskUpstream } from '@tollgate/providers/tasks/upstream'
import { linesOf } from '@tollgate/providers/tasks/video-size'
import { isTrusted } from '../../snapshots/trust.ts'
import { countCall } from '../admit/count-call.ts'
import { groupsOf } from '../admit/group.ts'
import { textsIn } from '../admit/texts-in.ts'
import { refuseWords, wordSearch } from '../admit/words.ts'
import { refusalOf } from '../hold/refusal.ts'
import { ledgerLimits, reserve } from '../hold/reserve.ts'
import type { Choice } from '../route/choice.ts'
import { answerJson } from './answer.ts'
import { isMade, nextChoice, originOf, channelsFor, type GroupPlan, type TaskChannels } from './channels.ts'
import { type HeldTask, usageOf } from './held-task.ts'
import { notifyAddress } from './notify.ts'
import type { TaskCall, TaskPorts } from './ports.ts'
import { priceOf } from './price.ts'
import { readMembers } from './read-members.ts'
import { sendTask, type Sent } from './send.ts'
import { settleAccepted, settleRefused, settleUnknown } from './settle.ts'
import { viewOf } from './view.ts'

/**
 * Hold, send, and on acceptance charge and keep the task in one transaction; then answer. Where nobody knows whether it
 * was taken it is kept too, and refunded at its deadline.
 */
export async function submitTask(task: TaskCall, route: SubmitRoute, ports: TaskPorts): Promise<void> {
  const { call, caller, platform } = task
  const settings = ports.snapshots.settings()
  await countCall({ call, caller, limits: settings.callLimits }, ports)
  const body = await readMembers(task, ports)
  const { refusedWords: filter } = settings
  if (filter !== undefined) await refuseWords(textsIn(body).join('\n'), wordSearch(filter, task, ports))
  const secret = settings.tasks.passesNotices ? randomToken() : undefined
  const { passesAccountFilter, clearsModes, followsOnlySuccess } = settings.tasks
  const notifyUrl = notifyAddress(call.id, secret, settings.tasks)
  const told = platform.readAsk(route, body, {
    passesAccountFilter,
    clearsModes,
    followsOnlySuccess,
    notifyUrl,
  })
  const origin = await originOf(task, told, ports)
  const followed =
    origin && platform.follow ? platform.follow(told, viewOf(origin, ports)) : served(task, told, ports)
  const [group, ...others] = groupsFor(task, followed.model, ports)
  call.asked = { model: followed.model, group, isStream: false }
  const channels = channelsFor(task, { ask: followed, group, origin }, ports)
  const maker = makerOf(channels, platform)
  const ask = withDefaults(followed, maker)
  const tokens = ask.work.type === 'video' ? maker?.tokens?.(ask.work) : undefined
  const prompt = ask.prompt || originPrompt(channels)
  const mayMove = channels.fixed === undefined && caller.pinned === undefined
  const plans = (mayMove && caller.token?.triesNextGroup === true ? others : []).map((name) => ({
    group: name,
    channels: channelsFor(task, { ask, group: name, origin }, ports),
  }))
  const held = await hold({ ...task, ask, channels, group, settings, secret, prompt, tokens }, plans, ports)
  await settle(await attempts(held, ports), ports)
}

/** Under the first of its names that anybody serves. */
function served(task: TaskCall, ask: TaskAsk, { snapshots }: TaskPorts): TaskAsk {
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

/** Those that can serve it, in the token's order; the first of all when none can. */
function groupsFor(
  task: TaskCall,
  model: string,
  { snapshots }: TaskPorts,
): readonly [string, ...(readonly string[])] {
  const { owner, token } = task.caller
  if (token === undefined) return [owner.group]
  const groups = groupsOf({ owner, token }, snapshots.prices(), snapshots.settings().autoGroups)
  const [first, ...others] = groups.filter((group) =>
    isMade(task, snapshots.roster().candidates(group, model)),
  )
  return first === undefined ? [groups[0] ?? owner.group] : [first, ...others]
}

/** Who names no length or size is told the price of the usual one, and gets a video of that. */
function withDefaults(ask: TaskAsk, maker: TaskUpstream | undefined): TaskAsk {
  const { work, model } = ask
  if (work.type !== 'video') return ask
  const seconds = work.seconds ?? maker?.secondsDefault
  const resolution = linesOf(work) === undefined ? maker?.resolutionDefault : work.resolution
  const whole = { ...work, seconds, resolution }
  return { ...ask, work: maker?.make?.({ model, work: whole }) ?? whole }
}

/** The first that may be asked: it says what is usual. */
function makerOf({ candidates, fixed }: TaskChannels, { id }: TaskPlatform): TaskUpstream | undefined {
  const channels = fixed ? [fixed.channel] : candidates.tiers.flat()
  return channels.find(({ provider }) => provider.tasks?.platform === id)?.provider.tasks
}

/** Follow-ups say nothing of what is drawn. */
function originPrompt({ origin }: TaskChannels): string {
  const prompt = origin && parseObject(origin.detail)?.['prompt']
  return typeof prompt === 'string' ? prompt : ''
}

type Unpriced = Omit<HeldTask, 'price' | 'units' | 'ceiling' | 'holdMs' | 'next' | 'isMoved'>

/** What the dearest of its groups asks is set aside. A group without a price is none to follow. */
async function hold(task: Unpriced, others: readonly GroupPlan[], ports: TaskPorts): Promise<HeldTask> {
  const { call, caller } = task
  const startedAt = ports.clock.monotonicMs()
  const first = priced(task, ports)
  if (first === undefined) throw problem('model_price_error', { model: task.ask.model })
  const rest = others.flatMap((plan) => priced({ ...task, ...plan }, ports) ?? [])
  const units = [first, ...rest]
    .map((plan) => plan.units)
    .reduce((left, right) => (left > right ? left : right))
  const limits = ledgerLimits(caller.token, ports.clock.nowMs())
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
  const result = await reserve(ports.ledger, input, isTrusted(caller.owner, settings))
  if (result.type !== 'reserved') throw refusalOf(result, { caller, settings, needed: units, ports })
  const common = { ceiling: units, holdMs: ports.clock.monotonicMs() - startedAt }
  const next = rest.reduceRight<HeldTask | undefined>(
    (after, plan) => ({ ...plan, ...common, isMoved: true, ...(after && { next: after }) }),
    undefined,
  )
  return { ...first, ...common, ...(next && { next }) }
}

function priced(task: Unpriced, ports: TaskPorts) {
  const price = priceOf(task, ports.snapshots.prices())
  return price && { ...task, price, units: chargeUnits(price, usageOf({ ...task, price })) }
}

interface Tried {
  /** In the group that had it last. */
  readonly held: HeldTask
  readonly choice: Choice | undefined
  readonly sent: Sent | undefined
}

/** One group after the other, only as long as it is certain that nothing came into being in the last one. */
async function attempts(first: HeldTask, ports: TaskPorts): Promise<Tried> {
  let tried: Tried = { held: first, choice: undefined, sent: undefined }
  for (let held: HeldTask | undefined = first; held !== undefined; held = held.next) {
    tried = await attemptsIn(held, tried, ports)
    if (tried.sent !== undefined && !mayTryAgain(tried.sent)) return tried
  }
  return tried
}

/** One channel after the other, as calls have it. */
async function attemptsIn(held: HeldTask, before: Tried, ports: TaskPorts): Promise<Tried> {
  const { call, caller, group, settings } = held
  let tried = before
  for (let tries = 1; ; tries++) {
    const choice = nextChoice(held, ports)
    if (choice === undefined) return tried
    // Its record names the group that serves it.
    if (call.asked !== undefined) call.asked = { ...call.asked, group }
    const sent = await attemptOnce(held, choice, ports)
    tried = { held, choice, sent }
    if (!mayTryAgain(sent) || caller.pinned !== undefined || tries > settings.retryTimes) return tried
  }
}

/** Time a key rests after an upstream would have nothing of it. */
const REST_MS = 30_000

async function attemptOnce(held: HeldTask, choice: Choice, ports: TaskPorts): Promise<Sent> {
  const { clock, health } = ports
  const { channel, keyIndex } = choice
  const startedAt = clock.monotonicMs()
  const sent = await sendTask(held, choice, ports).catch((error: unknown) => bugOf(held, error, ports))
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
    tellDead(held, choice, { refused: sent.reply, ports })
  return sent
}

function tellDead(
  { settings }: HeldTask,
  { channel }: Choice,
  { refused, ports }: { refused: TaskRefused; ports: TaskPorts },
): void {
  if (!refused.isChannelDead || !settings.isAutomaticDisable || !channel.isAutoBan) return
  ports.onChannelRefused(channel.id, { code: refused.code, status: 200, detail: refused.reason })
}

function outcomeOf(sent: Sent): string {
  if (sent.type === 'reply') return sent.reply.type === 'accepted' ? 'ok' : sent.reply.code
  return sent.type === 'unsent' ? sent.problem.code : 'outcome_unknown'
}

function askedToWait(sent: Sent): number | undefined {
  return sent.type === 'reply' ? sent.retryAfterMs : undefined
}

/** What one kind of upstream cannot do says nothing of its key; another may be able to. */
function isOwnFault(sent: Sent): boolean {
  return sent.type === 'unsent' && sent.problem.definition.fault === 'caller'
}

function mayTryAgain(sent: Sent): boolean {
  if (sent.type === 'reply') return sent.reply.type === 'refused' && sent.reply.isRetryable
  return sent.type === 'unsent'
}

/** Something of ours broke on the way; whether before or after it was sent, nobody knows. */
function bugOf({ call }: HeldTask, error: unknown, { log }: TaskPorts): Sent {
  log.error({ error, requestId: call.id }, 'a submission failed by a bug')
  return { type: 'unknown', detail: 'internal' }
}

async function settle({ held, choice, sent }: Tried, ports: TaskPorts): Promise<void> {
  const { call, ask, group, platform } = held
  if (choice === undefined || sent === undefined) {
    const none = problem('no_channel', { model: ask.model, group })
    await settleRefused(
      held,
      { reason: none.textIn('en'), code: none.code, detail: {}, choice: undefined, problem: none },
      ports,
    )
    throw none
  }
  if (sent.type === 'unknown') {
    await settleUnknown(held, { choice, detail: sent.detail }, ports)
    throw problem('task_outcome_unknown', { task: call.id })
  }
  if (sent.type === 'unsent') throw await notSent(held, { choice, failure: sent.problem }, ports)
  const { reply } = sent
  if (reply.type === 'refused') {
    call.counted?.failed()
    await settleRefused(held, { ...reply, choice }, ports)
    const { status } = reply
    const retryAfterMs = askedToWait(sent)
    return answerJson(call, { status, body: refusedBody(held, reply), retryAfterMs, isError: true })
  }
  const row = await settleAccepted(held, { choice, reply }, ports)
  const shown = platform.showAccepted?.(viewOf(row, ports))
  answerJson(call, reply.answer ?? { status: 200, body: shown })
}

/** WEAKNESS: where the operator hides what upstreams say, a refused task says no more of it than any other call. */
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
  ports: TaskPorts,
): Promise<Problem> {
  const { code } = failure
  const reason = failure.textIn('en')
  await settleRefused(held, { reason, code, detail: {}, choice, problem: failure }, ports)
  return failure
}
