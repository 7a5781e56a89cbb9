import { useMutation } from '@tanstack/react-query'
import { oauthRoutes } from '@tollgate/contract/oauth'
import { Alert, Button } from 'antd'
import { api } from '../../../shared/api/client.ts'
import { failureText } from '../../../shared/api/failure.ts'
import { notifyDone, notifyFailure } from '../../../shared/notify/notify.ts'
import { settingMessages } from '../i18n/index.ts'
import styles from '../settings.module.css'
import { useDrafts } from '../use-drafts.ts'

/** Fills in the endpoints from the provider's published configuration; the reader still has to save them. */
export function OidcFetch() {
  const t = settingMessages.use()
  const { stored, drafts, enter } = useDrafts()
  const url = (drafts.get('oidc.well_known') ?? stored.get('oidc.well_known')?.text ?? '').trim()
  const { mutate, isPending, error } = useMutation({
    meta: { isFailureShown: true },
    mutationFn: () => api.call(oauthRoutes.discover, { query: { url } }),
    onSuccess: (found) => {
      enter('oidc.authorization_endpoint', found.authorization_endpoint)
      enter('oidc.token_endpoint', found.token_endpoint)
      enter('oidc.user_info_endpoint', found.userinfo_endpoint)
      notifyDone(t('oidc.found', { issuer: found.issuer }))
    },
  })
  const fetchIt = () => (/^https?:\/\//.test(url) ? mutate() : notifyFailure(t('oidc.scheme')))
  return (
    <div className={styles.extra}>
      <div className={styles.extraWords}>
        <strong>{t('oidc.title')}</strong>
        <p className={styles.help}>{t('oidc.help')}</p>
      </div>
      <div className={styles.extraControl}>
        <div>
          <Button loading={isPending} onClick={fetchIt}>
            {t('oidc.fetch')}
          </Button>
        </div>
        {error !== null && <Alert type="error" title={failureText(error)} />}
      </div>
    </div>
  )
}
