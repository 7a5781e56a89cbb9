import type { Claims } from '@tollgate/importer/claims'
import { type MappedPlan, mapPlan } from '@tollgate/importer/map-plan'
import { accountId } from '@tollgate/ledger/account'
import { BATCH_ROWS, type ImportContext } from './import-context.ts'

const TABLE = 'user_subscriptions'

/**
 * There are no plans here. Those in force are named; on request their rest is credited to the balance, once,
 * however often the import is repeated.
 */
export async function importPlans(
  context: ImportContext,
  { claims, isCredited }: { readonly claims: Claims; readonly isCredited: boolean },
): Promise<void> {
  const { source, report, nowMs } = context
  for await (const rows of source.pages(TABLE, { rowsMax: BATCH_ROWS }))
    for (const row of rows) {
      const plan = mapPlan(row, { nowMs })
      if (plan.state === undefined || !claims.userIds.has(plan.userId)) continue
      const isPaidOut = isCredited && plan.rest > 0n
      const unitsLeft = plan.rest > 0n ? `, ${plan.rest} units left` : ''
      report.note({
        table: TABLE,
        id: plan.id,
        code: isPaidOut ? 'plan-credited' : plan.state,
        detail: `user ${plan.userId}${unitsLeft}`,
      })
      if (isPaidOut) await credit(context, plan)
    }
}

async function credit({ writing, report, sourceId }: ImportContext, plan: MappedPlan): Promise<void> {
  const { id, userId, rest } = plan
  const outcome = await writing?.ledger.credit({
    key: `import:${sourceId}:plan:${id}`,
    account: accountId('user', userId),
    amount: rest,
    note: 'rest of a plan',
  })
  if (outcome?.type === 'conflict')
    report.note({
      table: TABLE,
      id,
      code: 'row-changed',
      detail: `another rest was credited to user ${userId}`,
    })
}
