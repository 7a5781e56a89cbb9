import { type LedgerEntry, ledgerAccounts, ledgerEntryKinds } from '@tollgate/contract/ledger-entry'
import { Segmented, Select } from 'antd'
import { useState } from 'react'
import { useMoney } from '../../../shared/format/use-money.ts'
import { useEntryReason } from '../../../shared/ledger/entry-reason.ts'
import type { Column } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { momentColumn } from '../../../shared/table/moment-column.tsx'
import { type EntryAccount, type EntryKind, useEntriesOf } from '../api.ts'
import { userMessages } from '../i18n.ts'
import styles from './user-drawer.module.css'
import { BalanceHistory } from './balance-history.tsx'
import { pagingOf } from './paging-of.ts'

const PAGE_SIZE = 10

/** The history of a balance, as a chart and as a list of ledger entries. */
export function BalanceTab({ userId }: { readonly userId: number }) {
  const t = userMessages.use()
  const [account, setAccount] = useState<EntryAccount>('user')
  const [kind, setKind] = useState<EntryKind>()
  const [page, setPage] = useState(1)
  const source = useEntriesOf({ userId, account, kind, page, pageSize: PAGE_SIZE })
  const columns = useEntryColumns()
  return (
    <div className="stack-12">
      <div className={styles.bar}>
        <Segmented
          value={account}
          aria-label={t('entry.account')}
          options={ledgerAccounts.map((value) => ({ value, label: t(`account.${value}`) }))}
          onChange={(value) => {
            setAccount(value)
            setPage(1)
          }}
        />
        <Select
          allowClear
          className={styles.kinds}
          placeholder={t('word.kind')}
          aria-label={t('word.kind')}
          value={kind}
          options={ledgerEntryKinds.map((value) => ({ value, label: t(`entry.${value}`) }))}
          onChange={(value) => {
            setKind(value)
            setPage(1)
          }}
        />
      </div>
      <BalanceHistory userId={userId} account={account} />
      <DataTable
        label={t('tab.balance')}
        source={source}
        columns={columns}
        rowKey={(entry: LedgerEntry) => entry.id}
        paging={pagingOf({ page, pageSize: PAGE_SIZE, setPage })}
        empty={{ title: t('entry.none') }}
      />
    </div>
  )
}

function useEntryColumns(): readonly Column<LedgerEntry>[] {
  const t = userMessages.use()
  const { exact } = useMoney()
  return [
    momentColumn({
      key: 'time',
      title: t('word.time'),
      phone: 'detail',
      seconds: (entry) => entry.created_at,
    }),
    { key: 'kind', title: t('word.kind'), phone: 'title', render: (entry) => t(`entry.${entry.kind}`) },
    {
      key: 'change',
      title: t('entry.change'),
      isNumber: true,
      phone: 'value',
      render: (entry) => `${entry.change > 0 ? '+' : ''}${exact(entry.change)}`,
    },
    {
      key: 'after',
      title: t('entry.after'),
      isNumber: true,
      phone: 'detail',
      render: (entry) => exact(entry.balance_after),
    },
    { key: 'why', title: t('entry.why'), phone: 'detail', render: (entry) => <Why entry={entry} /> },
  ]
}

/**
 * The reason for an entry. If there is no text for it, the entry's operation key is shown; the tooltip of
 * every entry contains that key.
 */
function Why({ entry }: { readonly entry: LedgerEntry }) {
  const reason = useEntryReason()(entry)
  const flags = entry.flags.join(', ')
  return (
    <span title={entry.key}>
      {reason ?? <span className="code muted">{shortKey(entry.key)}</span>}
      {flags !== '' && <span className="muted"> ({flags})</span>}
    </span>
  )
}

const KEY_CHARACTERS_SHOWN = 28

function shortKey(key: string): string {
  return key.length <= KEY_CHARACTERS_SHOWN ? key : `${key.slice(0, KEY_CHARACTERS_SHOWN)}…`
}
