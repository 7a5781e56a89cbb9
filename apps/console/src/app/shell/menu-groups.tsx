import { Link } from '@tanstack/react-router'
import { Icon } from '../../shared/icon/icon.tsx'
import { useLanguage } from '../../shared/i18n/language.ts'
import type { Feature } from '../../shared/routing/feature.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { useStatus } from '../../shared/session/status.ts'
import { ChatMenu } from './chat-menu.tsx'
import { shellMessages } from './i18n.ts'
import styles from './menu-groups.module.css'
import { type MenuGroup, menuOf } from './menu-items.ts'

interface MenuGroupsProps {
  readonly features: readonly Feature[]
  /** Shows icons only; labels move into tooltips. */
  readonly isFolded: boolean
}

/** The entries of the side menu, section by section. */
export function MenuGroups({ features, isFolded }: MenuGroupsProps) {
  const groups = menuOf(features, { user: useSessionUser(), status: useStatus() })
  return groups.map((group) => <Group key={group.section} group={group} isFolded={isFolded} />)
}

function Group({ group, isFolded }: { readonly group: MenuGroup; readonly isFolded: boolean }) {
  const t = shellMessages.use()
  const heading = group.section === 'top' ? undefined : t(`menu.${group.section}`)
  return (
    <div className={isFolded ? `${styles.group} ${styles.folded}` : styles.group}>
      {heading !== undefined && <h2 className={styles.heading}>{isFolded ? '' : heading}</h2>}
      <ul>
        {group.features.map((feature) => (
          <li key={feature.name}>
            <MenuLink feature={feature} isFolded={isFolded} />
          </li>
        ))}
        {group.section === 'top' && <ChatMenu isFolded={isFolded} />}
      </ul>
    </div>
  )
}

function MenuLink({ feature, isFolded }: { readonly feature: Feature; readonly isFolded: boolean }) {
  const title = feature.title[useLanguage()]
  return (
    <Link
      to={feature.path}
      className={styles.link}
      activeProps={{ className: styles.current, 'aria-current': 'page' }}
      title={isFolded ? title : undefined}
    >
      <Icon name={feature.menu?.icon ?? 'list'} />
      <span className={isFolded ? 'visually-hidden' : undefined}>{title}</span>
    </Link>
  )
}
