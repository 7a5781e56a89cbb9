import type { ReactNode } from 'react'
import { useMoney } from '../../../shared/format/use-money.ts'
import { exactOf, one } from '../receipt/exact.ts'
import { receiptOf } from '../receipt/receipt-of.ts'
import { ReceiptView } from '../receipt/receipt-view.tsx'
import type { CallRow } from '../table/call-row.ts'
import { isCall } from '../table/columns.tsx'
import { TimelineView } from '../timeline/timeline-view.tsx'
import { Facts } from './facts.tsx'
import styles from './row-details.module.css'

/** What stands below an opened row: how its price was made, what happened, and the rest of what is known. */
export function RowDetails({ row }: { readonly row: CallRow }) {
  const { rule } = useMoney()
  const receipt = receiptOf(row, row.record, exactOf(rule.unitsPerDollar) ?? one)
  return (
    <div className={styles.details}>
      {isCall(row) && (
        <Halves>
          {receipt && <ReceiptView receipt={receipt} row={row} record={row.record} />}
          <TimelineView row={row} record={row.record} />
        </Halves>
      )}
      <Facts row={row} hasReceipt={receipt !== undefined} />
    </div>
  )
}

function Halves({ children }: { readonly children: ReactNode }) {
  return <div className={styles.halves}>{children}</div>
}
