import { useQueryClient } from '@tanstack/react-query'
import { type InstallationState, installationRoutes } from '@tollgate/contract/installation'
import { api } from '../../../shared/api/client.ts'
import { confirm } from '../../../shared/confirm/confirm.ts'
import { dateTime } from '../../../shared/format/time.ts'
import { PlainButton } from '../../../shared/page/plain-button.tsx'
import { role, useSessionUser } from '../../../shared/session/session.ts'
import styles from './copy-notice.module.css'
import { copyNoticeMessages } from './i18n.ts'

/** Stays above every page of the console until the super admin confirms that this database is the original. */
export function CopyNotice({ installation }: { readonly installation: InstallationState }) {
  const t = copyNoticeMessages.use()
  const client = useQueryClient()
  const isRoot = useSessionUser()?.role === role.root
  const { cause, since_time: since } = installation
  const ask = () =>
    confirm({
      title: t('question'),
      consequence: t('consequence'),
      confirmLabel: t('confirm'),
      action: async () => {
        await api.call(installationRoutes.confirm)
        await client.invalidateQueries({ queryKey: ['installation'] })
      },
    })
  return (
    <section className={styles.notice} aria-label={t('title')}>
      <div className={styles.words}>
        <strong className="ink-text">{t('title')}</strong>
        <p className={styles.text}>
          {cause !== '' && `${t(`cause.${cause}`, { when: dateTime(since) })} `}
          {t('text')} {!isRoot && t('askRoot')}
        </p>
      </div>
      {isRoot && <PlainButton onClick={() => void ask()}>{t('confirm')}</PlainButton>}
    </section>
  )
}
