import type { LedgerEntry } from '@tollgate/contract/ledger-entry'
import { Amount } from '../../../shared/format/amount.tsx'
import { useMoney } from '../../../shared/format/use-money.ts'
import { briefTime } from '../../../shared/format/time.ts'
import { type EntryAccount, useBalanceHistory } from '../api.ts'
import { userMessages } from '../i18n.ts'
import styles from './balance-history.module.css'
import { HEIGHT, stepsOf, WIDTH } from './steps-of.ts'

interface BalanceHistoryProps {
  readonly userId: number
  readonly account: EntryAccount
}

/** A step chart of the last entries of a balance: up for credits, down for spending. */
export function BalanceHistory({ userId, account }: BalanceHistoryProps) {
  const t = userMessages.use()
  const { column } = useMoney()
  const { data: entries } = useBalanceHistory(userId, account)
  const [first] = entries ?? []
  const last = entries?.at(-1)
  if (entries === undefined)
    return <div className={`${styles.history} ${styles.coming}`} aria-hidden="true" />
  if (first === undefined || last === undefined || entries.length < 2) return null
  const { path, highest, lowest } = stepsOf(entries)
  const money = column([lowest, highest])
  return (
    <figure className={`${styles.history} number`}>
      <figcaption>
        {t('entry.history', { count: entries.length, low: money(lowest), high: money(highest) })}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
      </svg>
      <Ends first={first} last={last} />
    </figure>
  )
}

function Ends({ first, last }: { readonly first: LedgerEntry; readonly last: LedgerEntry }) {
  const among = [first.balance_after, last.balance_after]
  return (
    <div className={styles.ends}>
      {[first, last].map((entry) => (
        <span key={entry.id}>
          {briefTime(entry.created_at)} · <Amount units={entry.balance_after} among={among} />
        </span>
      ))}
    </div>
  )
}
