import type { ReactNode } from 'react'
import { dashboardMessages } from './i18n.ts'
import { nameOf } from './series/series.ts'
import styles from './share-list.module.css'
import { type Share, shareText } from './shares.ts'

interface ShareListProps {
  readonly label: string
  /** `undefined` while loading. */
  readonly shares: readonly Share[] | undefined
  readonly colourOf: (share: Share) => string
  readonly nameOfShare: (share: Share) => ReactNode
  readonly value: (amount: number) => string
  readonly total: { readonly text: string; readonly exact: string }
}

/** Names and numbers of the shares, beside their ring chart. */
export function ShareList({ label, shares, colourOf, nameOfShare, value, total }: ShareListProps) {
  const t = dashboardMessages.use()
  if (shares === undefined) return <div className={styles.waiting} />
  return (
    <table className={styles.shares} aria-label={label}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('column.key')}</th>
          <th scope="col">{t('chart.share')}</th>
          <th scope="col">{label}</th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <tr key={nameOf(share.key)}>
            <th scope="row">
              <span className={styles.name}>
                <span className={styles.dot} style={{ background: colourOf(share) }} />
                {nameOfShare(share)}
              </span>
            </th>
            <td className="number muted">{shareText(share.part)}</td>
            <td className="number">{value(share.amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('column.total')}</th>
          <td className="number" colSpan={2} title={total.exact}>
            {total.text}
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
