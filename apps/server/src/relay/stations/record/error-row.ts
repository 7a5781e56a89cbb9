import type { LogEventOf } from '@tollgate/contract/log-event/event'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { Problem } from '@tollgate/problems/problem'
import type { SettleFlag } from '@tollgate/ledger/inputs'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { AttemptFailure, FailureAnswer } from '../attempt/failure.ts'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import {
  adminInfo,
  describeLeaving,
  droppedOf,
  type KnownCall,
  lessonsOf,
  problemNote,
  receiptOf,
  rowOf,
} from './row.ts'

const answerEmpty: LogEventOf<'answer_empty'> = { event: 'answer_empty' }

interface Ended {
  readonly exit: Outcome
  readonly flags: readonly SettleFlag[]
  /** Monotonic time. */
  readonly now: number
}

/** The log row of a call that failed and cost nothing. */
export function errorRow(held: Held, { exit, flags, now }: Ended): UsageLogRow {
  const { call } = held
  const failure = exit.type === 'failed' ? exit.failure : undefined
  return rowOf(held, now, {
    type: LOG_TYPE.error,
    content: failure && textOf(failure.answer),
    other: JSON.stringify({
      ...(failure === undefined ? answerEmpty : codesOf(failure)),
      flags: flags.length > 0 ? flags : undefined,
      ...droppedOf(call),
      ...lessonsOf(call),
      ...(call.repairs.length > 0 && { repairs: call.repairs }),
      ...describeLeaving(call, exit),
      admin_info: { ...adminInfo(held), detail: failure?.detail, ...describeBilled(held, failure) },
      receipt: receiptOf(held),
    }),
  })
}

/** The log row of a call that the gateway refused before it had a hold. */
export function refusalRow(known: KnownCall, refusal: Problem, now: number): UsageLogRow {
  return rowOf(known, now, {
    type: LOG_TYPE.error,
    content: refusal.textIn('en'),
    other: JSON.stringify({
      error_code: refusal.code,
      status_code: refusal.definition.status,
      ...problemNote(refusal),
    }),
  })
}

/** What the upstream will bill at least for a call that cost its caller nothing. */
function describeBilled({ bounds }: Held, failure: AttemptFailure | undefined) {
  return failure?.isBilled === true ? { billed_input_tokens: bounds.inputTokensCounted } : {}
}

function codesOf({ code, status, answer }: AttemptFailure) {
  const codes = { error_code: code, status_code: status }
  return answer.type === 'problem' ? { ...codes, ...problemNote(answer.problem) } : codes
}

function textOf(answer: FailureAnswer): string {
  return answer.type === 'problem' ? answer.problem.textIn('en') : answer.error.message
}
