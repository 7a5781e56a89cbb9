import { parseObject, recordAt, textAt } from '@tollgate/dialects/json'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { TaskRow } from '@tollgate/store/operations/tasks'

/**
 * The fields of the submission's log row that are stored with the task, so that the row of a refund can
 * repeat them.
 */
export function submissionLogFields(row: UsageLogRow): Readonly<Record<string, string>> {
  const { model_name: model, group_name: group, token_name: token, cost = null } = row
  return { model, group, token, ...(cost !== null && { cost: cost.toString() }) }
}

type SubmissionFields = Pick<UsageLogRow, 'model_name' | 'group_name' | 'token_name' | 'cost'>

/**
 * The fields of a refund's log row that describe the original call. `cost` is the part of the operator's cost
 * that is saved: when the upstream reported the outcome, the same share as the refund; when the outcome is
 * unknown, 0; null when the cost of the call was unknown.
 */
export function refundLogFields(
  { detail, quota: charged }: Pick<TaskRow, 'detail' | 'quota'>,
  { refundUnits, isTold }: { readonly refundUnits: bigint; readonly isTold: boolean },
): SubmissionFields {
  const booked = recordAt(parseObject(detail) ?? {}, 'booked') ?? {}
  const name = (key: string) => textAt(booked, key) ?? ''
  const cost = textAt(booked, 'cost')
  const saved = isTold ? (BigInt(cost ?? 0) * refundUnits) / charged : 0n
  return {
    model_name: name('model'),
    group_name: name('group'),
    token_name: name('token'),
    cost: cost === undefined ? null : saved,
  }
}
