import { useQuery } from '@tanstack/react-query'
import { statusRoutes } from '@tollgate/contract/status'
import { api } from '../../shared/api/client.ts'
import { dateTime } from '../../shared/format/time.ts'
import { OperatorPage } from '../../shared/markdown/operator-page.tsx'
import { useDocumentTitle } from '../../shared/page/page-header.tsx'
import { useStatus } from '../../shared/session/status.ts'
import { aboutMessages } from './i18n.ts'
import styles from './page.module.css'

/** The operator's own about page; without one, a description of Tollgate. */
export default function AboutPage() {
  const t = aboutMessages.use()
  useDocumentTitle(t('title'))
  const written = useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => api.call(statusRoutes.about, { signal }),
  })
  return (
    <OperatorPage written={written} title={t('title')}>
      <AboutTollgate />
    </OperatorPage>
  )
}

function AboutTollgate() {
  const t = aboutMessages.use()
  const status = useStatus()
  return (
    <article className={styles.page}>
      <h1>{t('title')}</h1>
      <p>{t('what')}</p>
      <p>{t('site')}</p>
      <dl className={styles.facts}>
        {status.version !== '' && <Fact name={t('word.version')} value={status.version} />}
        {status.start_time > 0 && <Fact name={t('running')} value={dateTime(status.start_time)} />}
        <Fact name={t('licence')} value="MIT" />
      </dl>
      {status.docs_link !== '' && (
        <p>
          <a href={status.docs_link} target="_blank" rel="noreferrer noopener">
            {t('docs')}
          </a>
        </p>
      )}
    </article>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="number">{value}</dd>
    </>
  )
}
