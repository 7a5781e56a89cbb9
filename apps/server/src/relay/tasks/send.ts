import { parseObject } from '@tollgate/dialects/json'
import { Problem, problem } from '@tollgate/problems/problem'
import { openDraft } from '@tollgate/providers/override/override'
import type { TaskTarget } from '@tollgate/providers/tasks/upstream'
import { type AskUpstream, askUpstream, channelPlace, makerAt } from '../../tasks/ask-upstream.ts'
import { upstreamIdOf } from '../../tasks/step.ts'
import { upstreamModel } from '../stations/attempt/prepare.ts'
import { retryAfterMs } from '../stations/attempt/retry-after.ts'
import type { Choice } from '../stations/route/choice.ts'
import type { HeldTask } from './held-task.ts'
import type { Sent } from './sent.ts'
import type { App } from '../app.ts'

const ANSWER_BYTES_MAX = 1024 * 1024

export async function sendTask(held: HeldTask, choice: Choice, app: App): Promise<Sent> {
  const { ask } = held
  const { channel, keyIndex } = choice
  const maker = makerAt(channel)
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
        timeoutMs: maker.submitMs,
        bytesMax: ANSWER_BYTES_MAX,
        nowMs,
      },
      app,
    )
    const reported = parseObject(body)
    if (reported === undefined && WAITED_IN_VAIN.has(status))
      return { type: 'unknown', detail: `status ${status}` }
    const reply = maker.readReply(ask, { status, body: reported }, written.place)
    return { type: 'reply', reply, status, retryAfterMs: retryAfterMs(headers, app.clock.nowMs()) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return wasSent(error)
      ? { type: 'unknown', detail: codeOf(error) }
      : { type: 'unsent', problem: unsent(error) }
  }
}

type Written = Pick<AskUpstream, 'request' | 'headers'> & { readonly place: TaskTarget }

/** Builds the request in the upstream's format, then applies the channel's parameter override. */
function requestFor({ ask, channels }: HeldTask, { channel, keyIndex }: Choice): Written {
  const model = upstreamModel(channel, { asked: ask.model, offered: channels.candidates.model })
  if (model === undefined) throw problem('channel_mapping_circular', { model: ask.model })
  const originId = channels.origin && upstreamIdOf(channels.origin)
  const place = { ...channelPlace(channel, keyIndex), model, originId }
  const request = makerAt(channel).submit(ask, place)
  const draft = openDraft(request.body ?? {})
  const { body, headers } = channel.parameterOverride?.(draft) ?? draft
  return { request: { ...request, body }, headers, place }
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
