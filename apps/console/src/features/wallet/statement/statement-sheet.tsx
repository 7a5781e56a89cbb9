import type { Statement } from '@tollgate/contract/statement'
import type { ReactNode } from 'react'
import { groupedInteger } from '../../../shared/format/money.ts'
import { dateTime } from '../../../shared/format/time.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { useEntryReason } from '../../../shared/ledger/entry-reason.ts'
import { sessionUser } from '../../../shared/session/session.ts'
import { useStatus } from '../../../shared/session/status.ts'
import { walletMessages } from '../i18n.ts'
import styles from './statement.module.css'

/** The printable part of the statement. */
export function StatementSheet({ statement }: { readonly statement: Statement }) {
  const t = walletMessages.use()
  const { system_name: site } = useStatus()
  const user = sessionUser()
  return (
    <article className={styles.sheet}>
      <header>
        <h2>{t('statement.heading', { month: statement.month, site })}</h2>
        <p className="muted">{t('statement.account', { name: user?.username ?? '', id: user?.id ?? 0 })}</p>
      </header>
      <Sums statement={statement} />
      <Credits statement={statement} />
      <Days statement={statement} />
      <p className="muted">{t('statement.note')}</p>
    </article>
  )
}

function Sums({ statement }: { readonly statement: Statement }) {
  const t = walletMessages.use()
  const money = useMoney()
  const rows = [
    [t('statement.opening'), money.exact(statement.opening)],
    [t('statement.received'), money.exact(statement.received)],
    [t('statement.spent'), money.exact(-statement.spent)],
    [t('statement.closing'), money.exact(statement.closing)],
  ] as const
  return (
    <Rows>
      {rows.map(([label, amount]) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td className="number">{amount}</td>
        </tr>
      ))}
    </Rows>
  )
}

function Credits({ statement: { credits } }: { readonly statement: Statement }) {
  const t = walletMessages.use()
  const money = useMoney()
  const reasonOf = useEntryReason()
  return (
    <Part title={t('statement.credits')}>
      {credits.map((credit) => (
        <tr key={credit.id}>
          <td className="number">{dateTime(credit.created_at)}</td>
          <th scope="row" title={credit.key}>
            {reasonOf(credit) ?? credit.key}
          </th>
          <td className="number">{money.exact(credit.change)}</td>
        </tr>
      ))}
    </Part>
  )
}

function Days({ statement: { days } }: { readonly statement: Statement }) {
  const t = walletMessages.use()
  const money = useMoney()
  return (
    <Part title={t('statement.calls')}>
      {days.map(({ day, calls, spent }) => (
        <tr key={day}>
          <th scope="row" className="number">
            {day}
          </th>
          <td className="number">{t('statement.count', { count: calls, shown: groupedInteger(calls) })}</td>
          <td className="number">{money.exact(-spent)}</td>
        </tr>
      ))}
    </Part>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) {
  const t = walletMessages.use()
  return (
    <section>
      <h3>{title}</h3>
      {children.length === 0 ? <p className="muted">{t('statement.nothing')}</p> : <Rows>{children}</Rows>}
    </section>
  )
}

function Rows({ children }: { readonly children: readonly ReactNode[] }) {
  return (
    <table className={styles.table}>
      <tbody>{children}</tbody>
    </table>
  )
}
