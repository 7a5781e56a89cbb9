import { useRef } from 'react'
import { Icon } from '../../shared/icon/icon.tsx'
import { sharedMessages } from '../../shared/i18n/shared-messages.ts'
import type { Feature } from '../../shared/routing/feature.ts'
import { shellMessages } from './i18n.ts'
import { isInLink } from './in-link.ts'
import { MenuGroups } from './menu-groups.tsx'
import styles from './phone-menu.module.css'
import { SiteLinks } from './site-links.tsx'

interface PhoneMenuProps {
  readonly features: readonly Feature[]
  readonly current: Feature | undefined
}

/** On a narrow screen the side menu and the site's links share one drawer. */
export function PhoneMenu({ features, current }: PhoneMenuProps) {
  const t = shellMessages.use()
  const close = sharedMessages.use()('close')
  const drawer = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        className={styles.open}
        aria-label={t('menu.open')}
        onClick={() => drawer.current?.showModal()}
      >
        <Icon name="bars" sizePx={18} />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape closes a dialog by itself */}
      <dialog
        ref={drawer}
        className={styles.drawer}
        aria-label={t('menu.label')}
        onClick={(event) => {
          const isLinkOrVeil = event.target === event.currentTarget || isInLink(event.target)
          if (isLinkOrVeil) drawer.current?.close()
        }}
      >
        <div className={styles.content}>
          <button
            type="button"
            className={styles.open}
            aria-label={close}
            onClick={() => drawer.current?.close()}
          >
            <Icon name="close" sizePx={18} />
          </button>
          <nav aria-label={t('menu.label')}>
            <MenuGroups features={features} isFolded={false} />
          </nav>
          <SiteLinks features={features} current={current} />
        </div>
      </dialog>
    </>
  )
}
