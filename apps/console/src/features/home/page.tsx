import { useQuery } from '@tanstack/react-query'
import { statusRoutes } from '@tollgate/contract/status'
import { api } from '../../shared/api/client.ts'
import { OperatorPage } from '../../shared/markdown/operator-page.tsx'
import { useDocumentTitle } from '../../shared/page/page-header.tsx'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { useStatus } from '../../shared/session/status.ts'
import { FirstCall } from './first-call.tsx'
import { homeMessages } from './i18n.ts'
import styles from './page.module.css'

/** The operator's own home page; without one, a description of Tollgate and an example of a first request. */
export default function HomePage() {
  const t = homeMessages.use()
  useDocumentTitle(t('title'))
  const written = useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => api.call(statusRoutes.home, { signal }),
  })
  return (
    <OperatorPage written={written} title={t('title')}>
      <div className={styles.page}>
        <Lead />
        <FirstCall />
        <Points />
      </div>
    </OperatorPage>
  )
}

function Lead() {
  const t = homeMessages.use()
  const { system_name: site } = useStatus()
  const isSignedIn = useSessionUser() !== undefined
  return (
    <section className={styles.lead}>
      <h1>{t('heading')}</h1>
      <p>{t('lead', { site })}</p>
      <div className={styles.buttons}>
        <ButtonLink to={isSignedIn ? paths.tokens : paths.login} isPrimary>
          {isSignedIn ? t('open') : t('word.login')}
        </ButtonLink>
        <ButtonLink to={paths.pricing}>{t('prices')}</ButtonLink>
        <ButtonLink to={paths.about}>{t('about')}</ButtonLink>
      </div>
    </section>
  )
}

const points = ['books', 'failover', 'limits'] as const

function Points() {
  const t = homeMessages.use()
  return (
    <section className={styles.points}>
      {points.map((point) => (
        <div key={point}>
          <h2>{t(`point.${point}`)}</h2>
          <p>{t(`point.${point}Text`)}</p>
        </div>
      ))}
    </section>
  )
}
