import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { groupedInteger } from '../../shared/format/money.ts'
import { Amount } from '../../shared/format/amount.tsx'
import { Icon } from '../../shared/icon/icon.tsx'
import { ErrorState } from '../../shared/page/error-state.tsx'
import { Page } from '../../shared/page/page.tsx'
import { Section } from '../../shared/page/section.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { selfQuery } from '../../shared/session/self.ts'
import { useStatus } from '../../shared/session/status.ts'
import { Buy } from './buy/buy.tsx'
import { walletMessages } from './i18n.ts'
import { Orders } from './orders/orders.tsx'
import { Redeem } from './redeem/redeem.tsx'
import { walletSearchSchema } from './search.ts'
import { currentMonth } from './statement/months.ts'
import { StatementDrawer } from './statement/statement-drawer.tsx'
import styles from './wallet.module.css'

/** The balance, and all ways to add to it. */
export default function WalletPage() {
  const t = walletMessages.use()
  const [search, setSearch] = useSearchState(walletSearchSchema)
  const { enable_online_topup: canBuy, top_up_link: link } = useStatus()
  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <Button icon={<Icon name="list" />} onClick={() => setSearch({ month: currentMonth() })}>
          {t('statement')}
        </Button>
      }
    >
      <div className={styles.columns}>
        <Balance />
        <Redeem code={search.code} onChangeCode={() => setSearch({ code: '' })} link={link} />
        {canBuy ? <Buy /> : <Section title={t('buy.title')} purpose={t('buy.closed')} />}
      </div>
      <Orders />
      {search.month !== '' && (
        <StatementDrawer
          month={search.month}
          onMonth={(month) => setSearch({ month })}
          onClose={() => setSearch({ month: '' })}
        />
      )}
    </Page>
  )
}

/** A non-breaking space keeps the line's height while the number is loading. */
const COMING = '\u00a0'

function Balance() {
  const t = walletMessages.use()
  const { data, error, refetch } = useQuery(selfQuery)
  return (
    <Section title={t('word.balance')} purpose={t('balance.purpose')}>
      {data === undefined && error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy={data === undefined}>
          <div className={`number ${styles.balance}`}>{data ? <Amount units={data.quota} /> : COMING}</div>
          <dl className={styles.facts}>
            <dt>{t('balance.used')}</dt>
            <dd className="number">{data ? <Amount units={data.used_quota} /> : COMING}</dd>
            <dt>{t('balance.calls')}</dt>
            <dd className="number">{data ? groupedInteger(data.request_count) : COMING}</dd>
            <dt>{t('word.group')}</dt>
            <dd>{data ? data.group : COMING}</dd>
          </dl>
          {data?.has_paid === false && <p className={styles.note}>{t('balance.unpaid')}</p>}
        </div>
      )}
    </Section>
  )
}
