import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ChargeNoteRow } from '@tollgate/contract/charge-notes'
import { operationsRoutes } from '@tollgate/contract/operations'
import { useMemo } from 'react'
import { api } from '../api/client.ts'
import { groupedInteger } from '../format/money.ts'
import { QueryFailure } from '../page/error-state.tsx'
import { Section } from '../page/section.tsx'
import { paths } from '../routing/paths.ts'
import { amountColumn } from '../table/amount-column.tsx'
import type { Column } from '../table/column.ts'
import { DataTable } from '../table/data-table.tsx'
import { momentColumn } from '../table/moment-column.tsx'
import { chargeMessages } from './charge-messages.ts'

/** What was unusual about charges, by kind, channel and model, with what to do about it. */
export function Charges() {
  const t = chargeMessages.use()
  const query = useQuery({
    queryKey: ['operations', 'charges'],
    queryFn: ({ signal }) => api.call(operationsRoutes.charges, { signal }),
  })
  const { data } = query
  const columns = useColumns()
  return (
    <Section title={t('charges')} purpose={t('charges.purpose')}>
      <QueryFailure query={query} />
      <DataTable
        label={t('charges')}
        source={{ ...query, data: data && { rows: data, total: data.length } }}
        columns={columns}
        rowKey={({ kind, channel_id: id, model }) => `${kind} ${id} ${model}`}
        empty={{ title: t('charges.none') }}
      />
    </Section>
  )
}

function useColumns(): readonly Column<ChargeNoteRow>[] {
  const t = chargeMessages.use()
  return useMemo(
    () => [
      {
        key: 'kind',
        title: t('column.happened'),
        phone: 'title',
        render: ({ kind, detail }) => (
          <>
            <div>{t(`charge.${word(kind)}`)}</div>
            {detail !== '' && <div className="muted">{detail}</div>}
          </>
        ),
      },
      {
        key: 'channel',
        title: t('word.channel'),
        phone: 'detail',
        render: ({ channel_id: id, channel_name: name, model }) => (
          <>
            <Link to={paths.channels} search={{ keyword: String(id) }}>
              {name === '' ? `#${id}` : name}
            </Link>
            <div className="code">{model}</div>
          </>
        ),
      },
      {
        key: 'calls',
        title: t('column.calls'),
        isNumber: true,
        phone: 'more',
        render: ({ calls }) => groupedInteger(calls),
      },
      amountColumn({
        key: 'quota',
        title: t('column.amount'),
        phone: 'value',
        amount: ({ quota }: ChargeNoteRow) => quota,
      }),
      momentColumn<ChargeNoteRow>({
        key: 'last',
        title: t('column.last'),
        phone: 'more',
        seconds: (row) => row.last_time,
      }),
      {
        key: 'advice',
        title: t('column.advice'),
        phone: 'more',
        render: ({ kind }) => t(`charge.${word(kind)}.advice`),
      },
    ],
    [t],
  )
}

/** An ending such as `_other` would make the name of a text a plural form. */
function word(kind: ChargeNoteRow['kind']): Exclude<ChargeNoteRow['kind'], 'served_other'> | 'servedModel' {
  return kind === 'served_other' ? 'servedModel' : kind
}
