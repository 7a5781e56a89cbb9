import { readUpstreamRequestId } from '@tollgate/dialects/canonical/request-id-headers'
import { parseObject } from '@tollgate/dialects/json'
import { Problem, problem } from '@tollgate/problems/problem'
import { openDraft } from '@tollgate/providers/override/override'
import type { TaskRefused, TaskReply } from '@tollgate/providers/tasks/task'
import type { TaskTarget, TaskUpstream } from '@tollgate/providers/tasks/upstream'
import { type AskUpstream, askUpstream, channelPlace, makerAt } from '../../tasks/ask-upstream.ts'
import type { App } from '../app.ts'
import { upstreamModel } from '../upstream-model.ts'
import { retryAfterMs } from '../stations/attempt/retry-after.ts'
import type { Choice } from '../stations/route/choice.ts'
import type { HeldTask } from './hold-task.ts'

/**
 * Result of one attempt on one channel. `unsent`: nothing reached the upstream. `unknown`: the upstream may
 * or may not have begun the work.
 */
export type Sent =
  | {
      readonly type: 'reply'
      readonly reply: TaskReply
      readonly status: number
      /** How long the upstream asks to wait. */
      readonly retryAfterMs: number | undefined
    }
  | { readonly type: 'unsent'; readonly problem: Problem }
  | { readonly type: 'unknown'; readonly detail: string }

/** How far a submission came: the group, the channel and the result of its last attempt. */
export interface TriedTask {
  readonly held: HeldTask
  readonly choice: Choice | undefined
  readonly sent: Sent | undefined
}

/** How long a key cools down after its upstream refused a submission. */
const REST_MS = 30_000

/** Sends a submission to one channel, adds it to the call's trail and updates the health of the key. */
export async function attemptTask(held: HeldTask, choice: Choice, app: App): Promise<Sent> {
  const { clock, health } = app
  const { channel, keyIndex } = choice
  const previous = held.call.trail.at(-1)
  if (previous !== undefined) app.metrics.retried(previous.outcome)
  const startedAt = clock.monotonicMs()
  held.call.upstreamRequestId = undefined
  const sent = await sendTask(held, choice, app).catch((error: unknown) => bugOf(held, error, app))
  const now = clock.monotonicMs()
  const code = outcomeOf(sent)
  const status = sent.type === 'reply' ? sent.status : 0
  const labelled = { ...held, prices: app.snapshots.prices() }
  app.metrics.attempted(labelled, channel.id, code === 'ok' ? undefined : { status, code })
  const durationMs = now - startedAt
  if (code !== 'ok')
    app.failureLog.attemptFailed(held.call, { status, code, channelId: channel.id, keyIndex, durationMs })
  held.call.trail.push({
    channelId: channel.id,
    keyIndex,
    group: held.group,
    outcome: code,
    status,
    durationMs,
    upstreamRequestId: held.call.upstreamRequestId,
  })
  app.metrics.members.noteSeen(held.call, { wire: held.operation.name, channelId: channel.id })
  if (isOwnFault(sent)) return sent
  if (sent.type === 'reply' && sent.reply.type === 'refused')
    disableDead(held, choice, { refused: sent.reply, app })
  const askedMs = sent.type === 'reply' ? sent.retryAfterMs : undefined
  if (mayTryAgain(sent)) health.coolDown(channel, keyIndex, now + (askedMs ?? REST_MS))
  else health.succeeded(channel, keyIndex)
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

const ANSWER_BYTES_MAX = 1024 * 1024

async function sendTask(held: HeldTask, choice: Choice, app: App): Promise<Sent> {
  const { ask } = held
  const { channel, keyIndex } = choice
  let written: Written
  try {
    written = requestFor(held, choice)
  } catch (error) {
    if (error instanceof Problem) return { type: 'unsent', problem: error }
    throw error
  }
  try {
    const nowMs = app.clock.nowMs()
    const { status, body, headers } = await askUpstream(
      {
        channel,
        keyIndex,
        request: written.request,
        ...(written.headers && { headers: written.headers }),
        timeoutMs: written.maker.submitMs,
        bytesMax: ANSWER_BYTES_MAX,
        nowMs,
      },
      app,
    )
    held.call.upstreamRequestId = readUpstreamRequestId(headers)
    const reported = parseObject(body)
    if (reported === undefined && WAITED_IN_VAIN.has(status))
      return { type: 'unknown', detail: `status ${status}` }
    const reply = written.maker.readReply(ask, { status, body: reported }, written.place)
    return { type: 'reply', reply, status, retryAfterMs: retryAfterMs(headers, app.clock.nowMs()) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return wasSent(error)
      ? { type: 'unknown', detail: codeOf(error) }
      : { type: 'unsent', problem: unsent(error) }
  }
}

type Written = Pick<AskUpstream, 'request' | 'headers'> & {
  readonly maker: TaskUpstream
  readonly place: TaskTarget
}

/** Builds the request in the upstream's format, then applies the channel's parameter override. */
function requestFor({ ask, channels }: HeldTask, { channel, keyIndex }: Choice): Written {
  const model = upstreamModel(channel, { asked: ask.model, offered: channels.candidates.model })
  if (model === undefined) throw problem('channel_mapping_circular', { model: ask.model })
  const maker = makerAt(channel)
  const place = { ...channelPlace(channel, keyIndex), model, originId: channels.originId }
  const request = maker.submit(ask, place)
  const draft = openDraft(request.body ?? {})
  const { body, headers } = channel.parameterOverride?.(draft) ?? draft
  return { maker, request: { ...request, body }, headers, place }
}

/** Statuses of a proxy in front of an upstream that did not respond in time. */
const WAITED_IN_VAIN: ReadonlySet<number> = new Set([408, 504, 524])

const UNSENT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
const UNTRUSTED = /^(?:CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/
const REFUSED_HERE: ReadonlySet<string> = new Set([
  'destination_refused',
  'destination_invalid',
  'header_invalid',
  'channel_key_invalid',
  'channel_key_refused',
  'channel_token_missing',
])

/** Whether the request may have reached the upstream. When in doubt, true. */
function wasSent(error: Problem): boolean {
  if (REFUSED_HERE.has(error.code)) return false
  const code = codeOf(error)
  return !UNSENT_CODES.has(code) && !UNTRUSTED.test(code)
}

function codeOf({ code, cause }: Problem): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : code
}

/** Hides the channel's address from the caller. */
function unsent(error: Problem): Problem {
  return problem('do_request_failed', {}, { cause: error })
}
