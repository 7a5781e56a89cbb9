import { parseObject, recordAt, textAt } from '@tollgate/dialects/json'
import type { UsageLogRow } from '@tollgate/store/schema'
import type { TaskRow } from '@tollgate/store/tasks'

/** What the usage log says of the call of a task, kept beside it so that what is given back is told of the same. */
export function bookedIn(row: UsageLogRow): Readonly<Record<string, string>> {
  const { model_name: model, group_name: group, token_name: token, cost = null } = row
  return { model, group, token, ...(cost !== null && { cost: cost.toString() }) }
}

type Told = Pick<UsageLogRow, 'model_name' | 'group_name' | 'token_name' | 'cost'>

/**
 * What a refund of a task says of its call. Its cost is the part that the operator is not asked for either: of the same
 * share as what is given back where the upstream said how the task ended, none where nobody knows, and not known where
 * that of the call was not.
 */
export function toldOfRefund(
  { detail, quota: charged }: Pick<TaskRow, 'detail' | 'quota'>,
  { backUnits, isTold }: { readonly backUnits: bigint; readonly isTold: boolean },
): Told {
  const booked = recordAt(parseObject(detail) ?? {}, 'booked') ?? {}
  const name = (key: string) => textAt(booked, key) ?? ''
  const cost = textAt(booked, 'cost')
  const saved = isTold ? (BigInt(cost ?? 0) * backUnits) / charged : 0n
  return {
    model_name: name('model'),
    group_name: name('group'),
    token_name: name('token'),
    cost: cost === undefined ? null : saved,
  }
}
