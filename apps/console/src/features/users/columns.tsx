import type { AdminUser } from '@tollgate/contract/admin-user'
import { useMemo } from 'react'
import { groupedInteger } from '../../shared/format/money.ts'
import { GroupLabel } from '../../shared/status/status.tsx'
import { amountColumn } from '../../shared/table/amount-column.tsx'
import type { Column } from '../../shared/table/column.ts'
import { momentColumn } from '../../shared/table/moment-column.tsx'
import { userMessages } from './i18n.ts'
import { UserRole, UserStatus } from './user-status.tsx'
import styles from './users.module.css'

/** The columns of the list; a phone shows name, remaining quota, role, status and group. */
export function useUserColumns(onOpen: (user: AdminUser) => void): readonly Column<AdminUser>[] {
  const t = userMessages.use()
  return useMemo(() => userColumns({ t, onOpen }), [t, onOpen])
}

interface ColumnParts {
  readonly t: ReturnType<typeof userMessages.use>
  readonly onOpen: (user: AdminUser) => void
}

function userColumns({ t, onOpen }: ColumnParts): readonly Column<AdminUser>[] {
  return [
    { key: 'id', title: t('word.id'), isNumber: true, widthPx: 64, render: (user) => user.id },
    {
      key: 'name',
      title: t('word.user'),
      isFixed: true,
      phone: 'title',
      render: (user) => <Name user={user} onOpen={onOpen} />,
    },
    {
      key: 'role',
      title: t('column.role'),
      phone: 'detail',
      render: (user) => <UserRole role={user.role} />,
    },
    { key: 'status', title: t('word.status'), phone: 'detail', render: (user) => <UserStatus user={user} /> },
    {
      key: 'group',
      title: t('word.group'),
      phone: 'detail',
      render: (user) => <GroupLabel name={user.group} />,
    },
    amountColumn({ key: 'quota', title: t('word.remaining'), phone: 'value', amount: (user) => user.quota }),
    amountColumn({ key: 'used', title: t('word.used'), amount: (user) => user.used_quota }),
    {
      key: 'calls',
      title: t('word.calls'),
      isNumber: true,
      render: (user) => groupedInteger(user.request_count),
    },
    {
      key: 'email',
      title: t('word.email'),
      isHiddenAtFirst: true,
      render: (user) => user.email || <span className="muted">–</span>,
    },
    {
      key: 'invited',
      title: t('column.invited'),
      isNumber: true,
      isHiddenAtFirst: true,
      render: (user) => groupedInteger(user.aff_count),
    },
    momentColumn({ key: 'seen', title: t('column.seen'), seconds: (user) => user.last_seen_time }),
    momentColumn({ key: 'created', title: t('word.created'), seconds: (user) => user.created_time }),
  ]
}

function Name({ user, onOpen }: { readonly user: AdminUser; readonly onOpen: ColumnParts['onOpen'] }) {
  const second = user.display_name === user.username ? '' : user.display_name
  return (
    <span className={styles.name}>
      <button type="button" className={styles.open} onClick={() => onOpen(user)}>
        {user.username}
      </button>
      {second !== '' && <span className={styles.second}>{second}</span>}
    </span>
  )
}
