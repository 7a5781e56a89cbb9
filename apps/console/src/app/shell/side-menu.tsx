import { useState } from 'react'
import { Icon } from '../../shared/icon/icon.tsx'
import type { Feature } from '../../shared/routing/feature.ts'
import { rememberedStatus } from '../../shared/session/status.ts'
import { readText, storageKeys, writeText } from '../../shared/session/storage.ts'
import { shellMessages } from './i18n.ts'
import { MenuGroups } from './menu-groups.tsx'
import styles from './side-menu.module.css'

/** The side menu of a wide screen, folded or open as the reader left it. */
export function SideMenu({ features }: { readonly features: readonly Feature[] }) {
  const t = shellMessages.use()
  const [isFolded, setIsFolded] = useState(storedFold)
  const label = isFolded ? t('menu.unfold') : t('menu.fold')
  const toggle = () => {
    writeText(storageKeys.sideMenuFolded, String(!isFolded))
    setIsFolded(!isFolded)
  }
  return (
    <nav className={isFolded ? `${styles.menu} ${styles.folded}` : styles.menu} aria-label={t('menu.label')}>
      <div className={styles.groups}>
        <MenuGroups features={features} isFolded={isFolded} />
      </div>
      <button type="button" className={styles.fold} aria-expanded={!isFolded} title={label} onClick={toggle}>
        <Icon name={isFolded ? 'chevronRight' : 'chevronLeft'} />
        <span className="visually-hidden">{label}</span>
      </button>
    </nav>
  )
}

function storedFold(): boolean {
  const stored = readText(storageKeys.sideMenuFolded)
  return stored === null ? (rememberedStatus()?.default_collapse_sidebar ?? false) : stored === 'true'
}
