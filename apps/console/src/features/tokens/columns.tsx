import { AUTO_GROUP, NEVER_EXPIRES, type Token } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { useMemo } from 'react'
import { Overrun } from '../../shared/format/overrun.tsx'
import { briefTime, dateTime } from '../../shared/format/time.ts'
import { GroupLabel, Status, type Tone } from '../../shared/status/status.tsx'
import { RefusedToday } from '../../shared/status/refused-today.tsx'
import { amountColumn } from '../../shared/table/amount-column.tsx'
import type { Column } from '../../shared/table/column.ts'
import styles from './columns.module.css'
import { tokenMessages } from './i18n.ts'
import { Budget, Limits } from './limits-cell.tsx'
import { NoValue } from '../../shared/format/no-value.tsx'
import { momentColumn } from '../../shared/table/moment-column.tsx'

/** The columns of the list; a phone shows name, status, remaining quota, group and limits. */
export function useTokenColumns(): readonly Column<Token>[] {
  const t = tokenMessages.use()
  return useMemo(
    () => [
      { key: 'name', title: t('word.name'), isFixed: true, phone: 'title', render: (token) => token.name },
      {
        key: 'status',
        title: t('word.status'),
        phone: 'detail',
        render: (token) => <TokenStatus token={token} />,
      },
      {
        key: 'key',
        title: t('word.key'),
        render: (token) => <span className="code muted">{`sk-${token.key}`}</span>,
      },
      amountColumn({
        key: 'remaining',
        title: t('word.remaining'),
        phone: 'value',
        amount: (token) => (token.unlimited_quota ? undefined : token.remain_quota),
        instead: () => t('unlimited'),
        beside: (token) => <Overrun units={token.overrun_quota} />,
      }),
      amountColumn({ key: 'used', title: t('word.used'), amount: (token) => token.used_quota }),
      { key: 'group', title: t('word.group'), phone: 'detail', render: (token) => <Group token={token} /> },
      {
        key: 'budget',
        title: t('column.budget'),
        phone: 'detail',
        render: (token) => <Budget token={token} />,
      },
      {
        key: 'reset',
        title: t('column.reset'),
        render: (token) =>
          token.budget_period === '' ? <NoValue /> : <Moment seconds={token.budget_reset_time} />,
      },
      { key: 'limits', title: t('column.limits'), render: (token) => <Limits token={token} /> },
      {
        key: 'expires',
        title: t('column.expires'),
        render: (token) =>
          token.expired_time === NEVER_EXPIRES ? t('never') : <Moment seconds={token.expired_time} />,
      },
      {
        key: 'accessed',
        title: t('word.lastUsed'),
        render: (token) =>
          token.accessed_time <= token.created_time ? (
            <span className="muted">{t('neverUsed')}</span>
          ) : (
            <Moment seconds={token.accessed_time} />
          ),
      },
      momentColumn({
        key: 'created',
        title: t('word.created'),
        isHiddenAtFirst: true,
        seconds: (token) => token.created_time,
      }),
    ],
    [t],
  )
}

function Group({ token }: { readonly token: Token }) {
  const t = tokenMessages.use()
  if (token.group === '') return t('ownGroup')
  const order = token.group_order.replaceAll(',', ' → ')
  return (
    <GroupLabel
      name={token.group === AUTO_GROUP && order !== '' ? `${token.group}: ${order}` : token.group}
    />
  )
}

function TokenStatus({ token }: { readonly token: Token }) {
  const t = tokenMessages.use()
  const { tone, label } = statuses[token.status] ?? { tone: 'idle', label: 'word.disabled' }
  return (
    <span className={styles.status}>
      <Status tone={tone} label={t(label)} />
      <RefusedToday token={token} />
    </span>
  )
}

const statuses: Readonly<
  Record<number, { tone: Tone; label: 'word.enabled' | 'word.disabled' | 'word.expired' | 'word.usedUp' }>
> = {
  [TOKEN_STATUS.enabled]: { tone: 'ok', label: 'word.enabled' },
  [TOKEN_STATUS.disabled]: { tone: 'idle', label: 'word.disabled' },
  [TOKEN_STATUS.expired]: { tone: 'look', label: 'word.expired' },
  [TOKEN_STATUS.exhausted]: { tone: 'act', label: 'word.usedUp' },
}

function Moment({ seconds }: { readonly seconds: number }) {
  return <span title={dateTime(seconds)}>{briefTime(seconds)}</span>
}
