import { type Order, type OrderState, topUpRoutes } from '@tollgate/contract/top-up'
import { USER_ROLE } from '@tollgate/kit/codes'
import { Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { api } from '../../../shared/api/client.ts'
import { CopyableText } from '../../../shared/copy/copy-button.tsx'
import { type Money, useMoney } from '../../../shared/format/use-money.ts'
import { notifyingFailure } from '../../../shared/notify/notifying-failure.ts'
import { Section } from '../../../shared/page/section.tsx'
import { useSearchState } from '../../../shared/routing/search.ts'
import { sessionUser } from '../../../shared/session/session.ts'
import { Status, type Tone } from '../../../shared/status/status.tsx'
import type { Column, RowAction } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { usePaging } from '../../../shared/table/paging.ts'
import { useOrderPage } from '../api.ts'
import { sendForm } from '../buy/send-form.ts'
import { walletMessages } from '../i18n.ts'
import { walletSearchSchema } from '../search.ts'
import { NoValue } from '../../../shared/format/no-value.tsx'
import { momentColumn } from '../../../shared/table/moment-column.tsx'

/** Orders of quota: the reader's own, and for administrators those of all users. */
export function Orders() {
  const t = walletMessages.use()
  const [search, setSearch] = useSearchState(walletSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const [isEverybody, setIsEverybody] = useState(false)
  const source = useOrderPage({ page: search.p, pageSize: paging.pageSize, isEverybody })
  const columns = useOrderColumns(isEverybody)
  const actions = useOrderActions()
  const isAdmin = (sessionUser()?.role ?? 0) >= USER_ROLE.admin
  return (
    <Section
      title={t('orders.title')}
      actions={
        isAdmin && (
          <Segmented
            value={isEverybody ? 'all' : 'own'}
            options={[
              { value: 'own', label: t('orders.own') },
              { value: 'all', label: t('orders.all') },
            ]}
            onChange={(whose) => {
              setIsEverybody(whose === 'all')
              setSearch({ p: 1 })
            }}
          />
        )
      }
    >
      <DataTable
        label={t('orders.title')}
        source={source}
        columns={columns}
        rowKey={(order: Order) => order.id}
        isRowMuted={(order) => order.status === 'closed' || order.status === 'failed'}
        actions={isEverybody ? undefined : actions}
        paging={paging}
        empty={{ title: t('orders.emptyTitle'), text: t('orders.emptyText') }}
      />
    </Section>
  )
}

/** A pending order can still be paid. */
function useOrderActions(): (order: Order) => readonly RowAction[] {
  const t = walletMessages.use()
  return (order) =>
    order.status === 'pending'
      ? [{ key: 'pay', label: t('buy.pay'), isInline: true, onSelect: notifyingFailure(() => pay(order)) }]
      : []
}

async function pay({ trade_no }: Order) {
  const { url, fields } = await api.call(topUpRoutes.payOrder, { params: { trade_no } })
  sendForm(url, fields)
}

function useOrderColumns(isEverybody: boolean): readonly Column<Order>[] {
  const t = walletMessages.use()
  const money = useMoney()
  return useMemo(() => orderColumns({ t, money, isEverybody }), [t, money, isEverybody])
}

interface ColumnParts {
  readonly t: ReturnType<typeof walletMessages.use>
  readonly money: Money
  readonly isEverybody: boolean
}

function orderColumns({ t, money, isEverybody }: ColumnParts): readonly Column<Order>[] {
  const owner: Column<Order> = {
    key: 'user',
    title: t('word.user'),
    phone: 'detail',
    render: (order) => `${order.username} #${order.user_id}`,
  }
  return [
    {
      key: 'trade',
      title: t('orders.trade'),
      phone: 'title',
      render: (order) => (
        <span className="code">
          <CopyableText text={order.trade_no} />
        </span>
      ),
    },
    ...(isEverybody ? [owner] : []),
    {
      key: 'status',
      title: t('word.status'),
      phone: 'detail',
      render: (order) => <Status tone={tones[order.status]} label={t(`orders.state.${order.status}`)} />,
    },
    {
      key: 'method',
      title: t('orders.method'),
      phone: 'detail',
      render: ({ method }) => methodName(method, t) || <NoValue />,
    },
    {
      key: 'quota',
      title: t('word.quota'),
      isNumber: true,
      phone: 'value',
      render: (order) => money.exact(order.quota),
    },
    { key: 'money', title: t('orders.money'), isNumber: true, render: (order) => priceOf(order, t) },
    momentColumn({ key: 'created', title: t('orders.created'), seconds: (order) => order.create_time }),
    momentColumn({ key: 'paid', title: t('orders.paid'), seconds: (order) => order.complete_time }),
  ]
}

type Translate = ColumnParts['t']

/** An unknown payment method is shown by the payment gateway's own name for it. */
function methodName(method: string, t: Translate): string {
  if (method === 'alipay') return t('buy.zfb')
  return method === 'wxpay' ? t('buy.wx') : method
}

function priceOf({ money, currency }: Order, t: Translate): string {
  return currency === '' ? t('orders.price', { money }) : `${money} ${currency}`
}

const tones: Readonly<Record<OrderState, Tone>> = {
  pending: 'look',
  success: 'ok',
  failed: 'act',
  closed: 'idle',
}
