import { useMutation } from '@tanstack/react-query'
import { accountRoutes } from '@tollgate/contract/account'
import { userRoutes } from '@tollgate/contract/user'
import type { Self } from '@tollgate/contract/user'
import { Button } from 'antd'
import { useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import { Status } from '../../../shared/status/status.tsx'
import { useRefreshSelf } from '../api.ts'
import { personalMessages } from '../i18n/index.ts'
import { Section } from '../../../shared/page/section.tsx'
import styles from './access.module.css'
import { NewToken } from './new-token.tsx'

/**
 * The access token for this site's own API, with all the rights of its owner. It is shown once, when it is
 * created.
 */
export function AccessToken({ self }: { readonly self: Self }) {
  const t = personalMessages.use()
  const refresh = useRefreshSelf()
  const [token, setToken] = useState<string>()
  const make = useMutation({
    mutationFn: () => api.call(userRoutes.resetAccessToken),
    onSuccess: async (made) => {
      setToken(made)
      await refresh()
    },
  })
  const replace = () =>
    confirm({
      title: t('access.replaceTitle'),
      consequence: t('access.replaceText'),
      confirmLabel: t('access.replace'),
      isDestructive: true,
    })
  const end = () =>
    confirm({
      title: t('access.endTitle'),
      consequence: t('access.replaceText'),
      confirmLabel: t('access.end'),
      isDestructive: true,
      action: async () => {
        await api.call(accountRoutes.removeAccessToken)
        notifyDone(t('access.ended'))
        await refresh()
      },
    })

  async function start() {
    if (!self.has_access_token || (await replace())) make.mutate()
  }

  return (
    <Section title={t('access.title')} purpose={t('access.purpose')}>
      <div className={styles.line}>
        <Status
          tone={self.has_access_token ? 'ok' : 'idle'}
          label={self.has_access_token ? t('access.exists') : t('access.none')}
        />
        <div className="wrap-8">
          {self.has_access_token && <Button onClick={() => void end()}>{t('access.end')}</Button>}
          <Button loading={make.isPending} onClick={() => void start()}>
            {self.has_access_token ? t('access.replace') : t('access.create')}
          </Button>
        </div>
      </div>
      {token !== undefined && <NewToken token={token} onClose={() => setToken(undefined)} />}
    </Section>
  )
}
