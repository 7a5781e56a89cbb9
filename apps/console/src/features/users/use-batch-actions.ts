import { type AdminUser, adminUserRoutes } from '@tollgate/contract/admin-user'
import { USER_STATUS } from '@tollgate/kit/codes'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { notifyOutcome } from '../../shared/notify/notify-outcome.ts'
import { notifyFailure } from '../../shared/notify/notify.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { useRefreshUsers } from './api.ts'
import { userMessages } from './i18n.ts'

/**
 * Actions on several users at once. Users that the reader may not change are listed in a message afterwards.
 */
export function useBatchActions(rows: readonly AdminUser[]): readonly RowAction[] {
  const t = userMessages.use()
  const refresh = useRefreshUsers()
  const ids = rows.map(({ id }) => id)

  async function setStatus(status: 1 | 2) {
    const outcome = await api.call(adminUserRoutes.setStatusMany, { body: { ids, status } })
    const done = status === USER_STATUS.enabled ? 'enabledMany' : 'disabledMany'
    notifyOutcome(outcome, (changed) => t(done, { count: changed }))
    await refresh()
  }
  const enable = () =>
    setStatus(USER_STATUS.enabled).catch((error: unknown) => notifyFailure(failureText(error)))
  const disable = () =>
    confirm({
      title: t('disableManyTitle', { count: ids.length }),
      consequence: t('disableManyText'),
      confirmLabel: t('action.disable'),
      isDestructive: true,
      action: () => setStatus(USER_STATUS.disabled),
    })

  return [
    { key: 'enable', label: t('action.enable'), isInline: true, onSelect: () => void enable() },
    { key: 'disable', label: t('action.disable'), isInline: true, onSelect: () => void disable() },
  ]
}
