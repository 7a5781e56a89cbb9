import { codecOf, conversations } from '@tollgate/dialects/conversations'
import type { Reading, UpstreamError } from '@tollgate/dialects/dialect'
import { readUpstreamError } from '@tollgate/dialects/errors/render-error'
import { readWhole } from '@tollgate/dialects/pair/read-whole'
import type { ExchangeAnswer } from '@tollgate/egress/egress'
import type { PreparedAttempt } from '@tollgate/providers/prepare'
import type { ProbePlan } from './probe-plan.ts'
import { probeTexts } from './probe-texts.ts'
import { evidenceOf } from './stations/attempt/evidence.ts'
import type { Evidence } from './stations/attempt/failure.ts'
import { secretsOf, withoutKeys } from './stations/attempt/verdict.ts'
import type { Choice } from './stations/route/choice.ts'

/** What the response to a channel test says about the channel and its key. */

export interface Passed {
  readonly status: number
  readonly reading: Reading
}

export interface Refusal {
  /** Absent when there was no response. */
  readonly status?: number
  readonly message: string
  readonly evidence: Evidence
}

export function isPassed(outcome: Passed | Refusal): outcome is Passed {
  return 'reading' in outcome
}

interface Judged {
  readonly choice: Choice
  readonly plan: ProbePlan
  readonly prepared: PreparedAttempt
  readonly keywords: readonly string[]
}

/** The text of the response is ignored: with so few tokens a reasoning model may not produce any output. */
export function judge({ status, body }: ExchangeAnswer, judged: Judged): Passed | Refusal {
  const { choice, plan, prepared } = judged
  const { provider } = choice.channel
  if (status < 200 || status > 299) {
    const read = codecOf(prepared.operation, prepared.endpoint.codec)?.readError ?? readUpstreamError
    return { status, ...refusal(read(status, body), judged, probeTexts[plan.language].status(status)) }
  }
  const { endpoint } = prepared
  const { reading } = readWhole(body, {
    asked: plan.operation.wire,
    caller: conversations.chat.caller,
    endpoint: prepared.operation,
    readUsage: endpoint.readUsage,
    context: { model: plan.model, fallbackId: '0', nowSeconds: 0, inputTokensCounted: 0, wantsUsage: true },
    isCollected: prepared.isStream,
    errorInside: provider.errorInside,
    codec: endpoint.codec,
    openFrames: endpoint.openFrames,
    adjustAnswer: endpoint.adjustAnswer,
  })
  return { status, ...(reading.error === undefined ? { reading } : refusal(reading.error, judged, '')) }
}

/** Judges an error as for real calls, including the channel's status mapping. */
function refusal(error: UpstreamError, { choice, keywords }: Judged, prefix: string): Refusal {
  const { channel } = choice
  const { type, statusMapping } = channel
  const status = statusMapping.get(error.status) ?? error.status
  return {
    message: prefix + withoutKeys(error.message, secretsOf(channel)),
    evidence: evidenceOf({ status, error, channelType: type, keywords }),
  }
}
