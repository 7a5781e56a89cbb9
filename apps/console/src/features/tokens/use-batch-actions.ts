import { type Token, TOKEN_KEYS_MAX, tokenRoutes } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { api } from '../../shared/api/client.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { copyText } from '../../shared/copy/copy.ts'
import { notifyOutcome } from '../../shared/notify/notify-outcome.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { notifyingFailure } from '../../shared/notify/notifying-failure.ts'
import type { RowAction } from '../../shared/table/column.ts'
import { statusActions } from '../../shared/table/status-actions.ts'
import { useRefreshTokens, withPrefix } from './api.ts'
import { tokenMessages } from './i18n.ts'

interface SelectedTokens {
  readonly rows: readonly Token[]
  readonly clear: () => void
}

/** Actions on several tokens at once: copy their keys, enable, disable, delete. */
export function useBatchActions({ rows, clear }: SelectedTokens): readonly RowAction[] {
  const t = tokenMessages.use()
  const refresh = useRefreshTokens()
  const ids = rows.map(({ id }) => id)
  const count = ids.length

  const remove = () =>
    confirm({
      title: t('removeManyTitle', { count }),
      consequence: t('removeText'),
      confirmLabel: t('word.delete'),
      isDestructive: true,
      action: async () => {
        notifyDone(t('removedMany', { count: await api.call(tokenRoutes.removeMany, { body: { ids } }) }))
        clear()
        await refresh()
      },
    })

  return [
    { key: 'copy', label: t('copyKeys'), onSelect: notifyingFailure(() => copyKeys(rows)) },
    ...statusActions({
      enable: t('word.enable'),
      disable: t('word.disable'),
      question: t('disableManyTitle', { count }),
      consequence: t('disableManyText'),
      setEnabled: async (isEnabled) => {
        const status = isEnabled ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled
        const outcome = await api.call(tokenRoutes.setStatusMany, { body: { ids, status } })
        notifyOutcome(outcome, (changed) => t(isEnabled ? 'enabledMany' : 'disabledMany', { count: changed }))
        await refresh()
      },
    }),
    { key: 'remove', label: t('word.delete'), isDestructive: true, onSelect: () => void remove() },
  ]
}

/** The format that consoles of new-api copy: name, four spaces, key. */
async function copyKeys(tokens: readonly Token[]): Promise<void> {
  const keys: Record<string, string> = {}
  for (let start = 0; start < tokens.length; start += TOKEN_KEYS_MAX) {
    const ids = tokens.slice(start, start + TOKEN_KEYS_MAX).map(({ id }) => id)
    Object.assign(keys, (await api.call(tokenRoutes.revealMany, { body: { ids } })).keys)
  }
  const [found, missing] = [tokens.filter(({ id }) => id in keys), tokens.filter(({ id }) => !(id in keys))]
  const lines = found.map(({ id, name }) => `${name}    ${withPrefix(keys[id] ?? '')}`)
  if (lines.length > 0) await copyText(lines.join('\n'), { isSecret: true })
  if (missing.length > 0)
    notifyFailure(tokenMessages.t('notCopied', { names: missing.map(({ name }) => name).join(', ') }))
}
