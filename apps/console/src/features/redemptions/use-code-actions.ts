import { type Redemption, redemptionRoutes } from '@tollgate/contract/redemption'
import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { api } from '../../shared/api/client.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { copyText } from '../../shared/copy/copy.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { notifyingFailure } from '../../shared/notify/notifying-failure.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { setRedemptionStatus, useRefreshRedemptions } from './api.ts'
import { redemptionMessages } from './i18n.ts'

/**
 * Actions on one code: copy, edit, enable or disable, delete. A redeemed code can only be viewed or deleted.
 */
export function useCodeActions(edit: (code: Redemption) => void): (code: Redemption) => readonly RowAction[] {
  const t = redemptionMessages.use()
  const refresh = useRefreshRedemptions()

  async function setStatus(code: Redemption, status: number) {
    await setRedemptionStatus(code, status)
    notifyDone(status === REDEMPTION_STATUS.unused ? t('enabled') : t('disabled'))
    await refresh()
  }
  const remove = (code: Redemption) =>
    confirm({
      title: t('removeTitle', { name: code.name, id: code.id }),
      consequence: t('removeText'),
      confirmLabel: t('word.delete'),
      isDestructive: true,
      action: async () => {
        await api.call(redemptionRoutes.remove, { params: { id: code.id } })
        notifyDone(t('removedMany', { count: 1 }))
        await refresh()
      },
    })

  return (code) => {
    const isUnused = code.status === REDEMPTION_STATUS.unused
    const target = isUnused ? REDEMPTION_STATUS.disabled : REDEMPTION_STATUS.unused
    return [
      {
        key: 'copy',
        label: t('copyCode'),
        isInline: true,
        onSelect: () => void copyText(code.key, { isSecret: true }),
      },
      {
        key: 'edit',
        label: t('word.edit'),
        isInline: true,
        refusal: isUnused ? undefined : t('onlyUnused'),
        onSelect: () => edit(code),
      },
      {
        key: 'switch',
        label: isUnused ? t('word.disable') : t('word.enable'),
        refusal: code.status === REDEMPTION_STATUS.used ? t('usedStays') : undefined,
        onSelect: notifyingFailure(() => setStatus(code, target)),
      },
      { key: 'remove', label: t('word.delete'), isDestructive: true, onSelect: () => void remove(code) },
    ]
  }
}

export function useRemoveDisabled(): () => Promise<boolean> {
  const t = redemptionMessages.use()
  const refresh = useRefreshRedemptions()
  return () =>
    confirm({
      title: t('removeDisabledTitle'),
      consequence: t('removeDisabledText'),
      confirmLabel: t('word.delete'),
      isDestructive: true,
      action: async () => {
        const count = await api.call(redemptionRoutes.removeDisabled)
        notifyDone(count === 0 ? t('noneDisabled') : t('removedMany', { count }))
        await refresh()
      },
    })
}
