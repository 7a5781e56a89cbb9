import type { WaivedRow } from '@tollgate/contract/usage'
import { useId } from 'react'
import { groupedInteger } from '../../shared/format/money.ts'
import { useMoney } from '../../shared/format/use-money.ts'
import { amountColumn } from '../../shared/table/amount-column.tsx'
import type { Column } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { useWaived } from './api.ts'
import { dashboardMessages } from './i18n.ts'
import type { Span } from './span.ts'
import styles from './waived.module.css'

/**
 * Amounts that the operator did not charge, because a call cost more than it was admitted for, with the
 * channels and models.
 */
export function Waived({ span }: { readonly span: Span }) {
  const t = dashboardMessages.use()
  const id = useId()
  const { exact, summary } = useMoney()
  const { data, error, isFetching, refetch } = useWaived(span)
  const columns: readonly Column<WaivedRow>[] = [
    { key: 'model', title: t('waived.model'), isFixed: true, phone: 'title', render: ({ model }) => model },
    {
      key: 'channel',
      title: t('waived.channel'),
      phone: 'detail',
      render: (row) => channelText(row) || t('waived.noChannel'),
    },
    {
      key: 'calls',
      title: t('column.calls'),
      isNumber: true,
      phone: 'more',
      render: ({ calls }) => groupedInteger(calls),
    },
    amountColumn({ key: 'quota', title: t('waived.amount'), phone: 'value', amount: ({ quota }) => quota }),
  ]
  return (
    <section className={styles.waived} aria-labelledby={id}>
      <header>
        <h2 id={id}>{t('waived')}</h2>
        <p title={data && exact(data.quota)}>
          {data !== undefined && data.calls > 0
            ? t('waived.sum', { amount: summary(data.quota), calls: groupedInteger(data.calls) })
            : t('waived.purpose')}
        </p>
      </header>
      <DataTable
        label={t('waived')}
        source={{ data: data && { rows: data.rows, total: data.rows.length }, error, isFetching, refetch }}
        columns={columns}
        rowKey={({ channel, model }) => `${channel} ${model}`}
        empty={{ title: t('waived.empty'), text: t('waived.emptyText') }}
      />
    </section>
  )
}

/** A deleted channel is shown by its number alone. */
function channelText({ channel, channel_name: name }: WaivedRow): string {
  if (channel === 0) return ''
  return name === '' ? `#${channel}` : `${name} #${channel}`
}
