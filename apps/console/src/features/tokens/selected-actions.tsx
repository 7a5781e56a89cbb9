import { type Token, tokenRoutes } from '@tollgate/contract/token'
import { Button } from 'antd'
import { api } from '../../shared/api/client.ts'
import { failureText } from '../../shared/api/failure.ts'
import { confirm } from '../../shared/confirm/confirm.ts'
import { copyText } from '../../shared/copy/copy.ts'
import { notifyDone, notifyFailure } from '../../shared/notify/notify.ts'
import { useRefreshTokens, withPrefix } from './api.ts'
import { tokenMessages } from './i18n.ts'

interface SelectedActionsProps {
  readonly tokens: readonly Token[]
  readonly onDone: () => void
}

/** What can be done with several tokens at once: copy their keys, delete them. */
export function SelectedActions({ tokens, onDone }: SelectedActionsProps) {
  const t = tokenMessages.use()
  const refresh = useRefreshTokens()
  if (tokens.length === 0) return null
  const count = tokens.length
  const remove = async () => {
    const isDone = await confirm({
      title: t('removeManyTitle', { count }),
      consequence: t('removeText'),
      confirmLabel: t('remove'),
      isDestructive: true,
      action: async () => {
        const ids = tokens.map(({ id }) => id)
        notifyDone(t('removedMany', { count: await api.call(tokenRoutes.removeMany, { body: { ids } }) }))
        await refresh()
      },
    })
    if (isDone) onDone()
  }
  return (
    <>
      <Button onClick={() => void copyKeys(tokens)}>{t('copyMany', { count })}</Button>
      <Button danger onClick={() => void remove()}>
        {t('removeMany', { count })}
      </Button>
    </>
  )
}

/** As the family copies them: name, four spaces, key. */
async function copyKeys(tokens: readonly Token[]): Promise<void> {
  try {
    const lines: string[] = []
    for (const { id, name } of tokens) {
      const { key } = await api.call(tokenRoutes.reveal, { params: { id } })
      lines.push(`${name}    ${withPrefix(key)}`)
    }
    await copyText(lines.join('\n'), { isSecret: true })
  } catch (error) {
    notifyFailure(failureText(error))
  }
}
