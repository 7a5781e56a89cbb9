import { Link } from '@tanstack/react-router'
import type { AdminUser } from '@tollgate/contract/admin-user'
import type { LogRow } from '@tollgate/contract/log'
import { netQuota } from '@tollgate/contract/net-quota'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { useState } from 'react'
import { groupedInteger } from '../../../shared/format/money.ts'
import { duration } from '../../../shared/format/time.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { paths } from '../../../shared/routing/paths.ts'
import type { Column } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { momentColumn } from '../../../shared/table/moment-column.tsx'
import { useCallsOf } from '../api.ts'
import { userMessages } from '../i18n.ts'
import { pagingOf } from './paging-of.ts'
import styles from './user-drawer.module.css'

const PAGE_SIZE = 10

/** The last calls of a user, with a link to all of them and their receipts. */
export function CallsTab({ user }: { readonly user: AdminUser }) {
  const t = userMessages.use()
  const [page, setPage] = useState(1)
  const source = useCallsOf({ userId: user.id, page, pageSize: PAGE_SIZE })
  return (
    <div className="stack-12">
      <div className={styles.bar}>
        <span className="muted">{t('calls.purpose')}</span>
        <Link to={`${paths.usageLog}?username=${encodeURIComponent(user.username)}`}>{t('calls.all')}</Link>
      </div>
      <DataTable
        label={t('tab.calls')}
        source={source}
        columns={useCallColumns()}
        rowKey={(row: LogRow) => row.id}
        paging={pagingOf({ page, pageSize: PAGE_SIZE, setPage })}
        empty={{ title: t('calls.none') }}
      />
    </div>
  )
}

function useCallColumns(): readonly Column<LogRow>[] {
  const t = userMessages.use()
  const { exact } = useMoney()
  return [
    momentColumn({ key: 'time', title: t('word.time'), phone: 'detail', seconds: (row) => row.created_at }),
    {
      key: 'model',
      title: t('word.model'),
      phone: 'title',
      render: (row) =>
        isCall(row) ? <span className="code">{row.model_name}</span> : <span>{row.content}</span>,
    },
    { key: 'token', title: t('word.token'), phone: 'detail', render: (row) => row.token_name },
    {
      key: 'tokens',
      title: t('calls.tokens'),
      isNumber: true,
      render: (row) =>
        isCall(row) && `${groupedInteger(row.prompt_tokens)} / ${groupedInteger(row.completion_tokens)}`,
    },
    {
      key: 'duration',
      title: t('calls.duration'),
      isNumber: true,
      render: (row) => isCall(row) && duration(row.duration_ms),
    },
    {
      key: 'quota',
      title: t('word.cost'),
      isNumber: true,
      phone: 'value',
      render: (row) => (isCall(row) || row.quota !== 0) && exact(netQuota(row)),
    },
  ]
}

function isCall({ type }: LogRow): boolean {
  return type === LOG_TYPE.consumption || type === LOG_TYPE.error
}
