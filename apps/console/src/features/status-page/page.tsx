import { useQuery } from '@tanstack/react-query'
import { statusPageRoutes } from '@tollgate/contract/status-page'
import { api } from '../../shared/api/client.ts'
import { Markdown } from '../../shared/markdown/markdown.tsx'
import { EmptyState } from '../../shared/page/empty-state.tsx'
import { QueryFailure } from '../../shared/page/error-state.tsx'
import { Page } from '../../shared/page/page.tsx'
import { Section } from '../../shared/page/section.tsx'
import { statusPageMessages } from './i18n.ts'
import { ModelLine } from './model-line.tsx'
import styles from './page.module.css'

/** Availability by model, for everybody. */
export default function StatusPage() {
  const t = statusPageMessages.use()
  const source = useQuery({
    queryKey: ['status-page'],
    queryFn: ({ signal }) => api.call(statusPageRoutes.read, { signal }),
    refetchInterval: 60_000,
  })
  const { data } = source
  if (source.isError && data === undefined)
    return (
      <Page title={t('title')} purpose={t('purpose')}>
        <QueryFailure query={source} />
      </Page>
    )
  if (data?.is_enabled === false)
    return (
      <Page title={t('title')} purpose={t('purpose')}>
        <EmptyState title={t('off')} />
      </Page>
    )
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      {data !== undefined && data.incidents !== '' && (
        <Section title={t('incidents')}>
          <div className={styles.incidents}>
            <Markdown text={data.incidents} />
          </div>
        </Section>
      )}
      <Section title={t('models')}>
        {data === undefined && <Placeholder />}
        {data?.models.length === 0 && <EmptyState title={t('none')} />}
        {data !== undefined && data.models.length > 0 && (
          <>
            <ul className={styles.models}>
              {data.models.map((status) => (
                <ModelLine key={status.model} status={status} today={data.today} />
              ))}
            </ul>
            <p className={styles.scale}>
              <span>{t('ago')}</span>
              <span>{t('today')}</span>
            </p>
          </>
        )}
      </Section>
    </Page>
  )
}

function Placeholder() {
  return (
    <ul className={styles.models} aria-busy="true">
      {[1, 2, 3].map((line) => (
        <li key={line} className={styles.placeholder} />
      ))}
    </ul>
  )
}
