import type { Reading } from '@tollgate/dialects/dialect'
import { type Language, problem } from '@tollgate/problems/problem'
import type { Outcome } from '../outcome.ts'
import type { AttemptFailure, Evidence } from '../stations/attempt/failure.ts'
import type { Held } from '../stations/hold/held.ts'
import { probeTexts } from './texts.ts'

/** What the attempt of a channel test says about the channel and its key. */

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

/** The text of the response is ignored: with so few tokens a reasoning model may not produce any output. */
export function readOutcome(outcome: Outcome, { call }: Held, language: Language): Passed | Refusal {
  if (outcome.type === 'delivered') return { status: call.response.statusCode, reading: outcome.reading }
  const { failure } = outcome
  // A vendor that exchanges keys for tokens refuses a bad key during the exchange.
  const evidence = failure.code === 'channel_key_refused' ? 'certain' : failure.evidence
  return { ...refusalOf(failure, language), evidence }
}

/** The operator reads the upstream's own message, also where it is hidden from callers. */
function refusalOf({ answer, vendorError, code, detail }: AttemptFailure, language: Language) {
  if (vendorError !== undefined) {
    const { status } = vendorError
    return { status, message: probeTexts[language].status(status) + detail }
  }
  if (answer.type === 'upstream') return { status: 200, message: detail }
  if (detail === 'destination_refused') return { message: problem(detail).textIn(language) }
  const text = answer.problem.textIn(language)
  const isExplained = code.startsWith('channel_key_') && detail !== answer.problem.message
  return { message: isExplained ? `${text}: ${detail}` : text }
}
