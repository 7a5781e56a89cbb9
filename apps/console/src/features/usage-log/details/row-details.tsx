import type { ReactNode } from 'react'
import { copyText } from '../../../shared/copy/copy.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { usageLogMessages } from '../i18n/index.ts'
import { exactOf, one } from '../receipt/exact.ts'
import { receiptOf } from '../receipt/receipt-of.ts'
import { ReceiptView } from '../receipt/receipt-view.tsx'
import type { CallRow } from '../table/call-row.ts'
import { isCall } from '../table/columns.tsx'
import { TimelineView } from '../timeline/timeline-view.tsx'
import { callAddress } from './call-address.ts'
import { Facts } from './facts.tsx'
import styles from './row-details.module.css'

/** The content below an opened row: the computation of its price, its timeline, and the remaining facts. */
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
      {row.request_id !== '' && <CallLink requestId={row.request_id} />}
    </div>
  )
}

function Halves({ children }: { readonly children: ReactNode }) {
  return <div className={styles.halves}>{children}</div>
}

/**
 * A link to use in a question to the operator: it opens the same row for both, with the details that each may
 * see.
 */
function CallLink({ requestId }: { readonly requestId: string }) {
  const t = usageLogMessages.use()
  const address = `${globalThis.location.origin}${callAddress(requestId)}`
  return (
    <button type="button" className={styles.link} onClick={() => void copyText(address)}>
      {t('receipt.copyLink')}
    </button>
  )
}
