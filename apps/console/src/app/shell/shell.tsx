import type { ReactNode } from 'react'
import { ConfirmHost } from '../../shared/confirm/confirm-host.tsx'
import { ManualCopy } from '../../shared/copy/manual-copy.tsx'
import { Notices } from '../../shared/notify/notices.tsx'
import { ReauthenticationHost } from '../../shared/reauthenticate/prove-host.tsx'
import type { Feature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { AccountNoticeHost } from './account-notices/account-notice-host.tsx'
import { CopyNoticeHost } from './copy-notice/copy-notice-host.tsx'
import { Footer } from './footer.tsx'
import { shellMessages } from './i18n.ts'
import { NoticeHost } from './notice/notice-host.tsx'
import { PaletteHost } from './palette-host.tsx'
import styles from './shell.module.css'
import { SideMenu } from './side-menu.tsx'
import { TopBar } from './top-bar.tsx'
import { useShortcuts } from './use-shortcuts.ts'

interface ShellProps {
  readonly features: readonly Feature[]
  /** `undefined` on a page that does not exist. */
  readonly current: Feature | undefined
  readonly children: ReactNode
}

/** The frame around a page: top bar, side menu, and the hosts for dialogs and notices. */
export function Shell({ features, current, children }: ShellProps) {
  const t = shellMessages.use()
  const user = useSessionUser()
  useShortcuts()
  const hasSideMenu = current !== undefined && current.layout !== 'site' && user !== undefined
  return (
    <>
      <a className={styles.skip} href="#content">
        {t('skip')}
      </a>
      <TopBar features={features} current={current} />
      <div className={styles.below}>
        {hasSideMenu && <SideMenu features={features} />}
        <main id="content" className={styles.main} tabIndex={-1}>
          {hasSideMenu && <CopyNoticeHost />}
          {hasSideMenu && <AccountNoticeHost />}
          {children}
          <Footer />
        </main>
      </div>
      <PaletteHost features={features} />
      <NoticeHost isEnabled={current?.path !== paths.setup} />
      <ConfirmHost />
      <ManualCopy />
      <ReauthenticationHost />
      <Notices />
    </>
  )
}
