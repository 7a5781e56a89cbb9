import type { LogEventOf } from '@tollgate/contract/log-event/event'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { Problem } from '@tollgate/problems/problem'
import type { SettleFlag } from '@tollgate/ledger/inputs'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { FailureAnswer } from '../attempt/failure.ts'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import {
  adminInfo,
  droppedOf,
  type KnownCall,
  lessonsOf,
  type ProblemNote,
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
  return rowOf(held, now, {
    type: LOG_TYPE.error,
    ...(exit.type === 'failed' && { content: textOf(exit.failure.answer) }),
    other: JSON.stringify({
      ...(exit.type !== 'failed' && answerEmpty),
      ...(exit.type === 'failed' && { error_code: exit.failure.code, status_code: exit.failure.status }),
      ...(exit.type === 'failed' && problemIn(exit.failure.answer)),
      ...(flags.length > 0 && { flags }),
      ...droppedOf(call),
      ...lessonsOf(call),
      admin_info: {
        ...adminInfo(held),
        ...(exit.type === 'failed' && { detail: exit.failure.detail }),
      },
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

function problemIn(answer: FailureAnswer): ProblemNote | undefined {
  return answer.type === 'problem' ? problemNote(answer.problem) : undefined
}

function textOf(answer: FailureAnswer): string {
  return answer.type === 'problem' ? answer.problem.textIn('en') : answer.error.message
}
