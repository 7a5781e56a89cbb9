import { Link } from '@tanstack/react-router'
import { toggleTheme, useTheme } from '../../shared/design/theme-mode.ts'
import { Icon } from '../../shared/icon/icon.tsx'
import { Mark } from '../../shared/icon/mark.tsx'
import { type Language, languages, setLanguage, useLanguage } from '../../shared/i18n/language.ts'
import { openPalette } from '../../shared/palette/palette-store.ts'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import type { Feature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { canRegister, useStatus } from '../../shared/session/status.ts'
import { Balance } from './balance.tsx'
import { shellMessages } from './i18n.ts'
import { openNotice, useNotice } from '../../shared/notice/notice.ts'
import { isNewYearsDay } from './new-year.ts'
import { PhoneMenu } from './phone-menu.tsx'
import { SiteLinks } from './site-links.tsx'
import styles from './top-bar.module.css'
import { UserMenu } from './user-menu.tsx'

interface TopBarProps {
  readonly features: readonly Feature[]
  readonly current: Feature | undefined
}

const languageNames: Readonly<Record<Language, string>> = { zh: '中', en: 'EN' }

export function TopBar({ features, current }: TopBarProps) {
  const user = useSessionUser()
  const hasLinks = current?.path !== paths.setup // Until the setup is done every link redirects back to it.
  return (
    <header className={styles.bar}>
      {hasLinks && (
        <div className={styles.onPhone}>
          <PhoneMenu features={features} current={current} />
        </div>
      )}
      <Brand />
      {hasLinks && (
        <div className={styles.onDesk}>
          <SiteLinks features={features} current={current} />
        </div>
      )}
      <div className={styles.right}>
        <SiteBadges />
        {user !== undefined && <FindButton />}
        {user !== undefined && <Balance />}
        {hasLinks && <NoticeButton />}
        <LanguageSwitch />
        <ThemeSwitch />
        {user === undefined ? <JoinLinks current={current} /> : <UserMenu user={user} />}
      </div>
    </header>
  )
}

function Brand() {
  const { system_name: name, logo } = useStatus()
  const badges = useBadges()
  return (
    <Link to={paths.home} className={styles.brand}>
      {logo === '' ? <Mark /> : <img src={logo} alt="" height={24} />}
      <span>
        {name}
        {badges.length > 0 && <small className={styles.brandBadge}>{badges.join(' · ')}</small>}
      </span>
    </Link>
  )
}

/** Labels that describe the kind of site. On a phone they are shown below the site's name. */
function useBadges(): readonly string[] {
  const t = shellMessages.use()
  const { self_use_mode_enabled: isSelfUse, demo_site_enabled: isDemo } = useStatus()
  return [
    ...(isSelfUse ? [t('badge.selfUse')] : []),
    ...(isDemo ? [t('badge.demo')] : []),
    ...(isNewYearsDay() ? [t('badge.newYear')] : []),
  ]
}

function SiteBadges() {
  return useBadges().map((badge) => (
    <span key={badge} className={`${styles.badge} ${styles.onDesk}`}>
      {badge}
    </span>
  ))
}

function FindButton() {
  const t = shellMessages.use()
  return (
    <button
      type="button"
      className={`${styles.box} ${styles.onDesk}`}
      onClick={openPalette}
      aria-keyshortcuts="Control+K"
    >
      <Icon name="search" sizePx={14} />
      <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      <span className="visually-hidden">{t('find')}</span>
    </button>
  )
}

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '')

/** Reopens the announcement after the reader has closed it. */
function NoticeButton() {
  const t = shellMessages.use()
  const { text } = useNotice(true)
  if (text === '') return null
  return (
    <button
      type="button"
      className={`${styles.square} ${styles.onDesk}`}
      onClick={openNotice}
      title={t('notice')}
      aria-label={t('notice')}
    >
      <Icon name="bell" />
    </button>
  )
}

function LanguageSwitch() {
  const t = shellMessages.use()
  const current = useLanguage()
  return (
    <fieldset className={styles.box} aria-label={t('language')}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === current}
          onClick={() => void setLanguage(language)}
        >
          {languageNames[language]}
        </button>
      ))}
    </fieldset>
  )
}

function ThemeSwitch() {
  const t = shellMessages.use()
  const isDark = useTheme() === 'dark'
  const label = isDark ? t('theme.toLight') : t('theme.toDark')
  return (
    <button type="button" className={styles.square} onClick={toggleTheme} title={label} aria-label={label}>
      <Icon name={isDark ? 'sun' : 'moon'} />
    </button>
  )
}

/** Links to sign in and to register, without the one for the current page. */
function JoinLinks({ current }: { readonly current: Feature | undefined }) {
  const t = shellMessages.use()
  const status = useStatus()
  if (current?.path === paths.setup) return null
  return (
    <>
      {canRegister(status) && current?.path !== paths.register && (
        <span className={styles.onDesk}>
          <ButtonLink to={paths.register}>{t('register')}</ButtonLink>
        </span>
      )}
      {current?.path !== paths.login && (
        <ButtonLink to={paths.login} isPrimary>
          {t('login')}
        </ButtonLink>
      )}
    </>
  )
}
