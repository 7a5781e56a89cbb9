import type { Redemption } from '@tollgate/contract/redemption'
import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { copyText } from '../../shared/copy/copy.ts'
import { notifyOutcome } from '../../shared/notify/notify-outcome.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { statusActions } from '../../shared/table/status-actions.ts'
import { setStatusOfRedemptions, useRefreshRedemptions } from './api.ts'
import { codeLines } from './code-state.ts'
import { redemptionMessages } from './i18n.ts'

/** Actions on several codes at once: copy, enable, disable. */
export function useBatchActions(codes: readonly Redemption[]): readonly RowAction[] {
  const t = redemptionMessages.use()
  const refresh = useRefreshRedemptions()

  return [
    {
      key: 'copy',
      label: t('copyCodes'),
      onSelect: () => void copyText(codeLines(codes), { isSecret: true }),
    },
    ...statusActions({
      enable: t('word.enable'),
      disable: t('word.disable'),
      question: t('disableManyTitle', { count: codes.length }),
      consequence: t('disableManyText'),
      setEnabled: async (isEnabled) => {
        const ids = codes.map(({ id }) => id)
        const status = isEnabled ? REDEMPTION_STATUS.unused : REDEMPTION_STATUS.disabled
        const outcome = await setStatusOfRedemptions(ids, status)
        notifyOutcome(outcome, (count) => t(isEnabled ? 'enabledMany' : 'disabledMany', { count }))
        await refresh()
      },
    }),
  ]
}
