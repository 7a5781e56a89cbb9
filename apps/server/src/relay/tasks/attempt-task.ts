import type { TaskRefused } from '@tollgate/providers/tasks/platform'
import type { App } from '../app.ts'
import type { Choice } from '../stations/route/choice.ts'
import type { HeldTask } from './held-task.ts'
import { sendTask } from './send.ts'
import type { Sent } from './sent.ts'

/** How long a key cools down after its upstream refused a submission. */
const REST_MS = 30_000

/** Sends a submission to one channel, adds it to the call's trail and updates the health of the key. */
export async function attemptTask(held: HeldTask, choice: Choice, app: App): Promise<Sent> {
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
    disableDead(held, choice, { refused: sent.reply, app })
  return sent
}

function disableDead(
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

/** Whether it is certain that the upstream did not begin the work, and another may be asked. */
export function mayTryAgain(sent: Sent): boolean {
  if (sent.type === 'reply') return sent.reply.type === 'refused' && sent.reply.isRetryable
  return sent.type === 'unsent'
}

/** The result for a bug of the gateway during the attempt: the request may or may not have been sent. */
function bugOf({ call }: HeldTask, error: unknown, { log }: App): Sent {
  log.error({ error, requestId: call.id }, 'a task submission failed because of a bug')
  return { type: 'unknown', detail: 'internal' }
}
