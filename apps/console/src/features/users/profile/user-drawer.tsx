import type { AdminUser } from '@tollgate/contract/admin-user'
import { Button, Drawer, Skeleton, Tabs } from 'antd'
import { ErrorState } from '../../../shared/page/error-state.tsx'
import { useUser } from '../api.ts'
import { userMessages } from '../i18n.ts'
import { type ProfileTab, profileTabs } from '../search.ts'
import { UserStatus } from '../user-status.tsx'
import { BalanceTab } from './balance-tab.tsx'
import { CallsTab } from './calls-tab.tsx'
import { Facts } from './facts.tsx'
import { TokensTab } from './tokens-tab.tsx'
import styles from './user-drawer.module.css'

interface UserDrawerProps {
  readonly userId: number
  readonly tab: ProfileTab
  readonly onTab: (tab: ProfileTab) => void
  readonly onEdit: () => void
  readonly onClose: () => void
}

/** Drawer for one user: details, tokens, last calls, and the history of the balance. */
export function UserDrawer({ userId, tab, onTab, onEdit, onClose }: UserDrawerProps) {
  const t = userMessages.use()
  const { data: user, error, refetch } = useUser(userId)
  return (
    <Drawer
      open
      size={880}
      title={
        <span className={styles.title}>
          {user === undefined ? t('drawer.title', { id: userId }) : <Title user={user} />}
        </span>
      }
      extra={
        // Shown before the user is loaded; otherwise the drawer's header would grow when the button appears.
        <Button disabled={user?.can.edit !== null} title={user?.can.edit ?? undefined} onClick={onEdit}>
          {t('word.edit')}
        </Button>
      }
      onClose={onClose}
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {error === null && user === undefined && <Skeleton active title={false} paragraph={{ rows: 10 }} />}
      {user !== undefined && (
        <Tabs
          activeKey={tab}
          destroyOnHidden
          onChange={(key) => onTab(profileTabs.find((one) => one === key) ?? 'profile')}
          items={profileTabs.map((key) => ({
            key,
            label: t(`tab.${key}`),
            children: <TabContent tab={key} user={user} />,
          }))}
        />
      )}
    </Drawer>
  )
}

function Title({ user }: { readonly user: AdminUser }) {
  return (
    <>
      <span className={styles.name} title={user.username}>
        {user.username}
      </span>
      <span className="muted number">#{user.id}</span>
      <UserStatus user={user} />
    </>
  )
}

function TabContent({ tab, user }: { readonly tab: ProfileTab; readonly user: AdminUser }) {
  if (tab === 'tokens') return <TokensTab userId={user.id} />
  if (tab === 'calls') return <CallsTab user={user} />
  return tab === 'balance' ? <BalanceTab userId={user.id} /> : <Facts user={user} />
}
