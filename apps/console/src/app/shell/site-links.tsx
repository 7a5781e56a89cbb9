import { Link } from '@tanstack/react-router'
import { Icon } from '../../shared/icon/icon.tsx'
import { useLanguage } from '../../shared/i18n/language.ts'
import type { Feature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { useStatus } from '../../shared/session/status.ts'
import { shellMessages } from './i18n.ts'
import styles from './site-links.module.css'

interface SiteLinksProps {
  readonly features: readonly Feature[]
  readonly current: Feature | undefined
}

/** The links of the site itself: home and console always, pricing and about if these pages exist. */
export function SiteLinks({ features, current }: SiteLinksProps) {
  const t = shellMessages.use()
  const language = useLanguage()
  const { docs_link: docs } = useStatus()
  const titleOf = (path: string) => features.find((feature) => feature.path === path)?.title[language]
  return (
    <nav className={styles.links} aria-label={t('site')}>
      <SiteLink to={paths.home} label={t('home')} isCurrent={current?.path === paths.home} />
      <SiteLink to={paths.tokens} label={t('console')} isCurrent={current?.layout === 'console'} />
      <SiteLink
        to={paths.pricing}
        label={titleOf(paths.pricing)}
        isCurrent={current?.path === paths.pricing}
      />
      {docs !== '' && (
        <a href={docs} target="_blank" rel="noreferrer noopener">
          {t('docs')} <Icon name="external" sizePx={12} />
        </a>
      )}
      <SiteLink to={paths.about} label={titleOf(paths.about)} isCurrent={current?.path === paths.about} />
    </nav>
  )
}

interface SiteLinkProps {
  readonly to: string
  /** `undefined` if the page does not exist. */
  readonly label: string | undefined
  readonly isCurrent: boolean
}

function SiteLink({ to, label, isCurrent }: SiteLinkProps) {
  if (label === undefined) return null
  return (
    <Link
      to={to}
      className={isCurrent ? styles.current : undefined}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {label}
    </Link>
  )
}
