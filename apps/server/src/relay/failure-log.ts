import { keepPlainText } from '@tollgate/kit/plain-text'
import type { Problem } from '@tollgate/problems/problem'
import type { Call } from './call.ts'
import type { Log } from './log.ts'
import type { Outcome } from './outcome.ts'

/**
 * Writes a line to the process log for each attempt that failed and each call that was refused or failed, so that a
 * request id is found there. Of each kind at most {@link LINES_PER_SECOND} are written in a second; the rest is
 * counted in one line. Texts of vendors are left out, because they may quote a request.
 */
export interface FailureLog {
  attemptFailed(call: LoggedCall, attempt: FailedAttempt): void
  /** The caller got an error, or an answer that broke off. */
  callFailed(call: LoggedCall, cause: FailureCause): void
  /** Writes how many lines were left out so far. */
  close(): void
}

type LoggedCall = Pick<Call, 'id' | 'upstreamRequestId' | 'isGone' | 'trail'>

export interface FailureCause {
  /** The status that the caller gets, or that the upstream sent. */
  readonly status: number
  readonly code: string
  /** Of a failure that the gateway found itself, such as `ECONNREFUSED`. */
  readonly detail?: string | undefined
}

export interface FailedAttempt extends FailureCause {
  readonly channelId: number
  readonly keyIndex: number
  readonly durationMs: number
}

export const LINES_PER_SECOND = 50
const WINDOW_MS = 1_000
const CODE_CHARACTERS_MAX = 64

export function openFailureLog(log: Log): FailureLog {
  const attempts = new LineLimit((count) => log.warn({ count }, 'more attempts failed than are logged'))
  const calls = new LineLimit((count) => log.warn({ count }, 'more calls failed than are logged'))
  return {
    attemptFailed(call, { channelId, keyIndex, durationMs, ...cause }) {
      // A caller who left ends an attempt that may have been fine.
      if (call.isGone || !attempts.take()) return
      const fields = { ...buildFields(call, cause), channelId, keyIndex, durationMs: Math.round(durationMs) }
      log.warn({ ...fields, upstreamRequestId: call.upstreamRequestId }, 'an attempt at an upstream failed')
    },
    callFailed(call, cause) {
      if (!calls.take()) return
      const fields = { ...buildFields(call, cause), attempts: call.trail.length }
      if (call.trail.length > 0) log.warn(fields, 'a call failed')
      else if (cause.status >= 500) log.warn(fields, 'a call was refused')
      else log.info(fields, 'a call was refused')
    },
    close() {
      attempts.close()
      calls.close()
    },
  }
}

function buildFields({ id }: LoggedCall, { status, code, detail }: FailureCause): Record<string, unknown> {
  const cause = keepPlainText(code, CODE_CHARACTERS_MAX) ?? 'unknown'
  return { requestId: id, status, cause, ...(detail && { detail }) }
}

/** What a Problem means for the log. */
export function readProblemCause({ code, definition }: Problem): FailureCause {
  return { code, status: definition.status }
}

/** Why the call failed; `undefined` if it did not, or not as far as the caller can see. */
export function readOutcomeCause(outcome: Outcome): FailureCause | undefined {
  if (outcome.type === 'delivered')
    return outcome.ending === 'broken' ? { code: 'answer_broken', status: 200 } : undefined
  const { code, status, answer, detail } = outcome.failure
  return { code, status, detail: answer.type === 'problem' ? detail : undefined }
}

class LineLimit {
  readonly #onOmitted: (count: number) => void
  #count = 0
  #timer: NodeJS.Timeout | undefined

  constructor(onOmitted: (count: number) => void) {
    this.#onOmitted = onOmitted
  }

  take(): boolean {
    this.#timer ??= setTimeout(() => this.close(), WINDOW_MS).unref()
    return ++this.#count <= LINES_PER_SECOND
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const omitted = this.#count - LINES_PER_SECOND
    this.#count = 0
    if (omitted > 0) this.#onOmitted(omitted)
  }
}
