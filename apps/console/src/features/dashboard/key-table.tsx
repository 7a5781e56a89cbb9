import type { ReactNode } from 'react'
import { dashboardMessages } from './i18n.ts'
import type { Measure } from './search.ts'
import { type KeySums, nameOf } from './series/series.ts'
import type { Share } from './shares.ts'

interface KeyTableProps {
  readonly shares: readonly Share[]
  readonly measure: Measure
  readonly value: (amount: number) => string
  readonly name: (key: KeySums) => ReactNode
}

/** The numbers of the rank chart as a table. */
export function KeyTable({ shares, measure, value, name }: KeyTableProps) {
  const t = dashboardMessages.use()
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('column.key')}</th>
          <th scope="col">{t(`measure.${measure}`)}</th>
        </tr>
      </thead>
      <tbody>
        {shares.map(({ key, amount }) => (
          <tr key={nameOf(key)}>
            <td>{name(key)}</td>
            <td>{value(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
