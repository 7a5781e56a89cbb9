import { noteAffinity } from '../../affinity/note-affinity.ts'
import type { AttemptApp } from '../../app.ts'
import { readOutcomeCause } from '../../failure-log.ts'
import type { Outcome, TaughtLesson } from '../../outcome.ts'
import { attemptSession } from '../../realtime/attempt-session.ts'
import { noteReadSeals, noteRefusedSeals } from '../../seals/refused-seals.ts'
import type { Held } from '../hold/held.ts'
import type { Choice } from '../route/choice.ts'
import { attemptCall, GONE } from './attempt-call.ts'
import type { AttemptFailure } from './failure.ts'
import { noteFailure } from './health.ts'
import { isWorthKeeping, isWorthMore } from './learn.ts'

/**
 * Makes one attempt on one channel; the response passes to the caller while it arrives, except for its end.
 * If the upstream's refusal says in which form the model takes the request, sends it again on the same channel
 * in that form, and once more if that is refused for another known reason. The lessons are kept when the
 * request succeeds.
 */
export async function attempt(held: Held, choice: Choice, app: AttemptApp): Promise<Outcome> {
  // The caller may have left while the hold was placed; then no request is sent.
  if (held.call.isGone) return GONE
  const first = await sendOnce(held, choice, app)
  const taught: TaughtLesson[] = []
  let latest = first
  let sealTries = 0
  while (latest.type === 'failed' && !held.call.isGone) {
    const { lesson, refusedSeals } = latest
    if (lesson !== undefined) taught.push(lesson)
    else if (refusedSeals === undefined || ++sealTries > SEAL_TRIES_MAX) break
    else noteRefusedSeals(held, refusedSeals, app.sealBook)
    latest = await sendOnce(held, { ...choice, ...changeRepeat(taught, sealTries) }, app)
  }
  // What was refused is left out of later calls too, so its refusal would no longer be true.
  if (latest.type === 'failed' && first.type === 'failed')
    return sealTries > 0 || isWorthMore(latest, first) ? latest : first
  if (latest.type === 'failed') return latest
  if (isWorthKeeping(latest))
    for (const { name, model } of taught) app.inFlight.track(app.lessons.keep(choice.channel, model, name))
  return latest
}

/** Items of unknown authors go first; a vendor may then refuse those that seemed to be its own. */
const SEAL_TRIES_MAX = 2

function changeRepeat(taught: readonly TaughtLesson[], sealTries: number): Partial<Choice> {
  return {
    ...(taught.length > 0 && { lessons: taught.map(({ name }) => name) }),
    ...(sealTries > 0 && { isWithoutSeals: true }),
  }
}

async function sendOnce(held: Held, choice: Choice, app: AttemptApp): Promise<Outcome> {
  const startedAt = begin(held, choice, app)
  const hadResent = held.call.hasResent
  const outcome = await exchanged(held, choice, app)
  const isResent = held.call.hasResent && !hadResent
  return noted(outcome, { held, choice, startedAt, isResent }, app)
}

/** Returns when the request begins, in monotonic time. */
function begin(held: Held, choice: Choice, app: AttemptApp): number {
  const { call } = held
  const previous = call.trail.at(-1)
  if (previous !== undefined) app.metrics.retried(previous.outcome)
  const startedAt = app.now()
  call.upstreamRequestId = undefined
  app.tracing?.of(call)?.attempting(held, choice, startedAt)
  return startedAt
}

function exchanged(held: Held, choice: Choice, app: AttemptApp): Promise<Outcome> {
  return held.call.socket === undefined ? attemptCall(held, choice, app) : attemptSession(held, choice, app)
}

interface Made {
  readonly held: Held
  readonly choice: Choice
  readonly startedAt: number
  readonly isResent: boolean
}

/** Adds a request that has ended to the call's trail and updates the health of the key. */
function noted(outcome: Outcome, { held, choice, startedAt, isResent }: Made, app: AttemptApp): Outcome {
  const { call } = held
  app.tracing?.of(call)?.attempted(outcome, app.now())
  const { channel, keyIndex, lessons, isWithoutSeals } = choice
  const durationMs = app.now() - startedAt
  const cause = readOutcomeCause(outcome)
  if (cause !== undefined)
    app.failureLog.attemptFailed(call, { ...cause, channelId: channel.id, keyIndex, durationMs })
  call.trail.push({
    channelId: channel.id,
    keyIndex,
    group: held.group,
    outcome: codeOf(outcome),
    status: readStatus(outcome),
    durationMs,
    upstreamRequestId: call.upstreamRequestId,
    lesson: lessons?.at(-1),
    ...(isWithoutSeals && { isWithoutSeals }),
    ...(isResent && { isResent }),
  })
  if (call.socket !== undefined)
    app.metrics.members.noteSeen(call, { wire: held.operation.wire, channelId: channel.id })
  noteAffinity(held, choice, { outcome, affinity: app.affinity })
  noteReadSeals(held, choice, { outcome, sealBook: app.sealBook })
  app.metrics.attempted(held, channel.id, outcome.type === 'failed' ? outcome.failure : undefined)
  if (outcome.type === 'delivered') {
    // An upstream that had not answered says nothing about its key.
    if (outcome.isUnaccepted === true) return outcome
    app.health.succeeded(channel, keyIndex)
    app.traffic.succeeded(
      channel.id,
      call.firstByteAt === undefined ? undefined : call.firstByteAt - startedAt,
    )
  } else {
    noteWait(call, outcome.failure)
    app.traffic.failed(channel.id, outcome.failure)
    disableRefused(held, choice, { failure: outcome.failure, app })
  }
  return outcome
}

function noteWait(call: Held['call'], { retryAfterMs = Infinity }: AttemptFailure): void {
  const waitMs = Math.min(call.waitMs ?? Infinity, retryAfterMs)
  if (waitMs < Infinity) call.waitMs = waitMs
}

function readStatus(outcome: Outcome): number {
  if (outcome.type === 'failed') return outcome.failure.status
  return outcome.isUnaccepted === true ? 0 : 200
}

function codeOf(outcome: Outcome): string {
  if (outcome.type === 'failed') return outcome.failure.code
  return outcome.ending === 'complete' ? 'ok' : outcome.ending
}

/** Disables a key or a channel that its upstream refused, where the operator wants that. */
function disableRefused(
  { settings }: Held,
  choice: Choice,
  { failure, app }: { readonly failure: AttemptFailure; readonly app: AttemptApp },
): void {
  const refused = noteFailure(choice, failure, app)
  if (refused === 'nothing' || !settings.isAutomaticDisable || !choice.channel.isAutoBan) return
  if (refused === 'channel') app.onChannelRefused(choice.channel.id, failure)
  else app.onKeyRefused(choice, failure)
}
