import { useQuery } from '@tanstack/react-query'
import type { Self } from '@tollgate/contract/user'
import { Skeleton } from 'antd'
import { QueryFailure } from '../../shared/page/error-state.tsx'
import { Page } from '../../shared/page/page.tsx'
import { selfQuery } from '../../shared/session/self.ts'
import { useStatus } from '../../shared/session/status.ts'
import { AccessToken } from './access/access-token.tsx'
import { RemoveAccount } from './access/remove-account.tsx'
import { Appearance } from './profile/appearance.tsx'
import { CheckIn } from './check-in/check-in.tsx'
import { personalMessages } from './i18n/index.ts'
import { Invitations } from './invite/invitations.tsx'
import { Models } from './models/models.tsx'
import { Notifications } from './notify/notifications.tsx'
import styles from './page.module.css'
import { Profile } from './profile/profile.tsx'
import { SignIns } from './sessions/sign-ins.tsx'
import { SignInMethods } from './sign-in/sign-in-methods.tsx'

/** The account page: profile, ways to sign in, notifications. */
export default function PersonalPage() {
  const t = personalMessages.use()
  const self = useQuery(selfQuery)
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      {self.data !== undefined && <Sections self={self.data} />}
      {self.isPending && <Waiting />}
      <QueryFailure query={self} />
    </Page>
  )
}

function Sections({ self }: { readonly self: Self }) {
  const { check_in_enabled: hasCheckIn } = useStatus()
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Profile self={self} />
        {hasCheckIn && <CheckIn />}
        <Invitations self={self} />
        <Models />
        <Appearance />
      </div>
      <div className={styles.column}>
        <SignInMethods self={self} />
        <Notifications self={self} />
        <AccessToken self={self} />
        <SignIns />
        <RemoveAccount self={self} />
      </div>
    </div>
  )
}

function Waiting() {
  return (
    <div className={styles.columns} aria-hidden="true">
      {[0, 1].map((column) => (
        <div key={column} className={styles.column}>
          {[4, 6, 3].map((rows) => (
            <div key={rows} className={styles.waiting}>
              <Skeleton active paragraph={{ rows }} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
