import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AccountNotice, accountSafetyRoutes } from '@tollgate/contract/account-safety'
import { api } from '../../../shared/api/client.ts'
import { dateTime } from '../../../shared/format/time.ts'
import { ButtonLink, PlainButton } from '../../../shared/page/plain-button.tsx'
import { paths } from '../../../shared/routing/paths.ts'
import styles from './account-notices.module.css'
import { accountNoticeMessages } from './i18n.ts'

/** Stays above every page of the console until the reader confirms having made the changes. */
export function AccountNotices({ notices }: { readonly notices: readonly AccountNotice[] }) {
  const t = accountNoticeMessages.use()
  const client = useQueryClient()
  const dismiss = useMutation({
    mutationFn: () => api.call(accountSafetyRoutes.dismiss, { query: { up_to: notices[0]?.id ?? 0 } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['self', 'notices'] }),
  })
  return (
    <section className={styles.notices} aria-label={t('title')}>
      <div className={styles.words}>
        <strong className="ink-text">{t('title')}</strong>
        <ul className={styles.list}>
          {notices.map((notice) => (
            <Change key={notice.id} notice={notice} />
          ))}
        </ul>
      </div>
      <div className="wrap-8">
        <ButtonLink to={paths.personal}>{t('look')}</ButtonLink>
        <PlainButton isBusy={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {t('dismiss')}
        </PlainButton>
      </div>
    </section>
  )
}

function Change({ notice }: { readonly notice: AccountNotice }) {
  const t = accountNoticeMessages.use()
  const { email, provider, address } = notice
  return (
    <li>
      {t(`event.${keyOf(notice)}`, { email, provider })}{' '}
      <span className={styles.when}>
        {dateTime(notice.created_at)}
        {address !== '' && ` · ${t('from', { address })}`}
      </span>
    </li>
  )
}

function keyOf({ event, by }: AccountNotice) {
  return event === 'password_changed' && by !== 'owner' ? (`password_changed.${by}` as const) : event
}
