import {
  type AccountNotice,
  accountEvents,
  accountNoticeSchema,
  type accountSafetyRoutes,
} from '@tollgate/contract/account-safety'
import { listAccountNotices, removeAccountNotices } from '@tollgate/store/accounts/notices'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'

const detailSchema = accountNoticeSchema.pick({ by: true, provider: true, email: true, address: true })

export function listNotices({ store }: Services): Handler<typeof accountSafetyRoutes.notices> {
  return async ({ actor }) => {
    const rows = await listAccountNotices(store, actor.id)
    return rows.flatMap((row): AccountNotice[] => {
      const event = accountEvents.find((one) => one === row.event)
      // A row may come from a later version with more events; such rows are skipped.
      if (event === undefined) return []
      const detail = detailSchema.parse(JSON.parse(row.detail))
      return [{ id: row.id, event, ...detail, created_at: Math.floor(row.created_ms / 1000) }]
    })
  }
}

export function dismissNotices({ store }: Services): Handler<typeof accountSafetyRoutes.dismiss> {
  return async ({ actor, query }) => {
    await removeAccountNotices(store, { userId: actor.id, upToId: query.up_to })
    return null
  }
}
