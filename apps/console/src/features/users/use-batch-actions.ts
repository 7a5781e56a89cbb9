import { type AdminUser, adminUserRoutes } from '@tollgate/contract/admin-user'
import { USER_STATUS } from '@tollgate/kit/codes'
import { api } from '../../shared/api/client.ts'
import { notifyOutcome } from '../../shared/notify/notify-outcome.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { statusActions } from '../../shared/table/status-actions.ts'
import { useRefreshUsers } from './api.ts'
import { userMessages } from './i18n.ts'

/**
 * Actions on several users at once. Users that the reader may not change are listed in a message afterwards.
 */
export function useBatchActions(rows: readonly AdminUser[]): readonly RowAction[] {
  const t = userMessages.use()
  const refresh = useRefreshUsers()
  const ids = rows.map(({ id }) => id)

  return statusActions({
    enable: t('action.enable'),
    disable: t('action.disable'),
    question: t('disableManyTitle', { count: ids.length }),
    consequence: t('disableManyText'),
    setEnabled: async (isEnabled) => {
      const status = isEnabled ? USER_STATUS.enabled : USER_STATUS.disabled
      const outcome = await api.call(adminUserRoutes.setStatusMany, { body: { ids, status } })
      notifyOutcome(outcome, (count) => t(isEnabled ? 'enabledMany' : 'disabledMany', { count }))
      await refresh()
    },
  })
}
