import { problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import { type BodyGate, readBody } from '../stations/admit/body.ts'
import { balanceClassOf, type BodyLease } from '../stations/admit/body-budget.ts'
import type { App } from '../app.ts'
import type { Call } from '../call.ts'
import type { TaskCall } from './task-call.ts'

/** No more than this is read for a caller without a balance, because hardly any task is free. */
const WITHOUT_BALANCE_BYTES_MAX = 1024 * 1024

/** Reads the body of a submission. The owner's balance is checked before more than 64 KiB are read. */
export function readTaskBody(
  { call, caller }: Pick<TaskCall, 'call' | 'caller'>,
  app: Pick<App, 'limits' | 'bodies' | 'ledger'>,
): Promise<Buffer> {
  const lease = leaseFor(call, caller.owner.id, app)
  const gate: BodyGate = async (sofar) => {
    const balance = await app.ledger.balance(accountId('user', caller.owner.id))
    const remaining = balance?.remaining ?? 0n
    lease.setStanding(balanceClassOf(remaining))
    if (remaining > 0n) return Number.POSITIVE_INFINITY
    if (sofar.length > WITHOUT_BALANCE_BYTES_MAX)
      throw problem('insufficient_user_quota', { remaining, needed: 1n })
    return WITHOUT_BALANCE_BYTES_MAX
  }
  return readBody(call.request, { bytesMax: app.limits.bodyBytesMax, lease, gate })
}

/** Reads a body of a few kilobytes: a list of ids, or a callback for one task. */
export function readShortBody(
  call: Call,
  { userId, bytesMax }: { readonly userId: number; readonly bytesMax: number },
  app: Pick<App, 'bodies'>,
): Promise<Buffer> {
  return readBody(call.request, { bytesMax, lease: leaseFor(call, userId, app) })
}

function leaseFor(call: Call, userId: number, { bodies }: Pick<App, 'bodies'>): BodyLease {
  return (call.lease ??= bodies.lease(userId))
}
