import { LOG_TYPE } from '@tollgate/kit/codes'
import { readAdjustment } from '@tollgate/ledger/reads'
import { claimWork } from '@tollgate/store/operations/outbox'
import { z } from 'zod'
import { writeLog } from '../log/write.ts'
import type { Work } from '../outbox/outbox.ts'
import type { Services } from '../services.ts'
import { wireQuota } from '../wire-quota.ts'

const quotaRecordSchema = z.object({
  /** Key of the adjustment in the ledger. */
  key: z.string(),
  userId: z.int(),
  actorId: z.int(),
  address: z.string(),
  note: z.string(),
})

/** The work to be queued in the ledger's transaction that changes the quota. */
export function quotaRecord(payload: z.output<typeof quotaRecordSchema>): Work {
  return { cause: `adjust:${payload.key}`, kind: 'quota-change', payload }
}

/**
 * Writes one row in the audit trail and one in the user's log, with the balance before and after, however
 * often it is called: the transaction that writes them also ends the work.
 */
export async function recordQuotaChange(
  services: Pick<Services, 'store' | 'clock' | 'change'>,
  { cause, payload }: { readonly cause: string; readonly payload: unknown },
): Promise<void> {
  const { key, userId, actorId, address, note } = quotaRecordSchema.parse(payload)
  const { before, after, atMs } = await readAdjustment(services.store, key)
  await services.change(
    { actor: { id: actorId }, address },
    {
      action: 'quota',
      entity: 'user',
      work: async (transaction) => {
        if (!(await claimWork(transaction, cause))) return false
        await writeLog(
          { store: transaction, clock: services.clock },
          {
            key: cause,
            userId,
            type: LOG_TYPE.management,
            event: { event: 'quota_changed', before: wireQuota(before), after: wireQuota(after) },
            more: { by: actorId, note },
            atMs,
          },
        )
        return true
      },
      // A user who receives quota from an operator counts as a paying user, so the snapshots are read again.
      row: (isFirst) =>
        isFirst
          ? {
              entityId: userId,
              before: { quota: before },
              after: { quota: after, note },
              atMs,
              notice: ['users', userId],
            }
          : undefined,
    },
  )
}
