import type { Redemption } from '@tollgate/contract/redemption'
import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { failureText } from '../../shared/api/failure.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { copyText } from '../../shared/copy/copy.ts'
import { notifyOutcome } from '../../shared/notify/notify-outcome.ts'
import { notifyFailure } from '../../shared/notify/notify.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { setStatusOfRedemptions, useRefreshRedemptions } from './api.ts'
import { codeLines } from './code-state.ts'
import { redemptionMessages } from './i18n.ts'

/** Actions on several codes at once: copy, enable, disable. */
export function useBatchActions(codes: readonly Redemption[]): readonly RowAction[] {
  const t = redemptionMessages.use()
  const refresh = useRefreshRedemptions()

  async function setStatus(status: 1 | 2) {
    const ids = codes.map(({ id }) => id)
    const done = status === REDEMPTION_STATUS.unused ? 'enabledMany' : 'disabledMany'
    notifyOutcome(await setStatusOfRedemptions(ids, status), (count) => t(done, { count }))
    await refresh()
  }
  const enable = () =>
    setStatus(REDEMPTION_STATUS.unused).catch((error: unknown) => notifyFailure(failureText(error)))
  const disable = () =>
    confirm({
      title: t('disableManyTitle', { count: codes.length }),
      consequence: t('disableManyText'),
      confirmLabel: t('disable'),
      isDestructive: true,
      action: () => setStatus(REDEMPTION_STATUS.disabled),
    })

  return [
    {
      key: 'copy',
      label: t('copyCodes'),
      onSelect: () => void copyText(codeLines(codes), { isSecret: true }),
    },
    { key: 'enable', label: t('enable'), isInline: true, onSelect: () => void enable() },
    { key: 'disable', label: t('disable'), isInline: true, onSelect: () => void disable() },
  ]
}
