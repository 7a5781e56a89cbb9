import type { Token } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { useState } from 'react'
import { Moment } from '../../../shared/format/moment.tsx'
import { Overrun } from '../../../shared/format/overrun.tsx'
import { RefusedToday } from '../../../shared/status/refused-today.tsx'
import { GroupLabel, Status, type Tone } from '../../../shared/status/status.tsx'
import { amountColumn } from '../../../shared/table/amount-column.tsx'
import type { Column } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { useTokensOf } from '../api.ts'
import { userMessages } from '../i18n.ts'
import { pagingOf } from './paging-of.ts'

const PAGE_SIZE = 10

const statuses: Readonly<
  Record<number, readonly [Tone, 'word.enabled' | 'word.disabled' | 'word.expired' | 'word.usedUp']>
> = {
  1: ['ok', 'word.enabled'],
  2: ['idle', 'word.disabled'],
  3: ['look', 'word.expired'],
  4: ['act', 'word.usedUp'],
}

/** The tokens of a user. Their keys are never shown to anybody but the owner. */
export function TokensTab({ userId }: { readonly userId: number }) {
  const t = userMessages.use()
  const [page, setPage] = useState(1)
  const source = useTokensOf({ userId, page, pageSize: PAGE_SIZE })
  return (
    <DataTable
      label={t('tab.tokens')}
      source={source}
      columns={useTokenColumns()}
      rowKey={(token: Token) => token.id}
      isRowMuted={(token) => token.status !== TOKEN_STATUS.enabled}
      paging={pagingOf({ page, pageSize: PAGE_SIZE, setPage })}
      empty={{ title: t('token.none') }}
    />
  )
}

function useTokenColumns(): readonly Column<Token>[] {
  const t = userMessages.use()
  return [
    { key: 'name', title: t('word.name'), phone: 'title', render: (token) => token.name },
    {
      key: 'key',
      title: t('word.key'),
      render: (token) => <span className="code muted">{`sk-${token.key}`}</span>,
    },
    {
      key: 'status',
      title: t('word.status'),
      phone: 'detail',
      render: (token) => {
        const [tone, label] = statuses[token.status] ?? (['idle', 'word.disabled'] as const)
        return (
          <>
            <Status tone={tone} label={t(label)} /> <RefusedToday token={token} />
          </>
        )
      },
    },
    {
      key: 'group',
      title: t('word.group'),
      phone: 'detail',
      render: (token) =>
        token.group === '' ? <span className="muted">–</span> : <GroupLabel name={token.group} />,
    },
    amountColumn({
      key: 'remaining',
      title: t('word.remaining'),
      phone: 'value',
      amount: (token) => (token.unlimited_quota ? undefined : token.remain_quota),
      instead: () => t('token.unlimited'),
      beside: (token) => <Overrun units={token.overrun_quota} />,
    }),
    amountColumn({ key: 'used', title: t('word.used'), amount: (token) => token.used_quota }),
    {
      key: 'accessed',
      title: t('word.lastUsed'),
      phone: 'detail',
      render: (token) => (
        <Moment seconds={token.accessed_time > token.created_time ? token.accessed_time : 0} />
      ),
    },
  ]
}
