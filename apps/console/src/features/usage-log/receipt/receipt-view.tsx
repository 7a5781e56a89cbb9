import { decimalText } from '@tollgate/billing/decimal'
import type { LogRow } from '@tollgate/contract/log'
import { groupedInteger } from '../../../shared/format/money.ts'
import { useMoney } from '../../../shared/format/use-money.ts'
import { Status, type Tone } from '../../../shared/status/status.tsx'
import { usageLogMessages } from '../i18n/index.ts'
import type { CallRecord } from '../record/call-record.ts'
import { one, quotientText } from './exact.ts'
import { formatPart, lineName } from './line-name.ts'
import { grouped, type ReceiptMoney, receiptMoney, trimmed } from './receipt-money.ts'
import { type Verdict, verdictOf } from './receipt-of.ts'
import type { Receipt, ReceiptLine } from './receipt.ts'
import styles from './receipt-view.module.css'

interface ReceiptViewProps {
  readonly receipt: Receipt
  readonly row: Pick<LogRow, 'quota' | 'group'>
  readonly record: CallRecord
}

/**
 * Shows the computation of a charge, recomputed here from the row's numbers and compared with the actual
 * charge.
 */
export function ReceiptView({ receipt, row, record }: ReceiptViewProps) {
  const t = usageLogMessages.use()
  const { rule, exact } = useMoney()
  const money = receiptMoney(receipt.quotaPerUnit, rule)
  const version = receipt.priceVersion
  return (
    <section className={styles.receipt}>
      <h2 className={styles.title}>
        {version === undefined ? t('receipt') : t('receipt.version', { version })}
      </h2>
      <ol className={styles.lines}>
        {receipt.lines.map((line) => (
          <LineRow key={lineKey(line)} line={line} money={money} />
        ))}
        {receipt.lines.length === 0 && <li className={styles.words}>{t('receipt.nothingUsed')}</li>}
        <SubtotalRows receipt={receipt} group={row.group} money={money} />
        <li className={`ink-text ${styles.above}`}>
          <span className={styles.name}>{t('receipt.charged')}</span>
          <span className={styles.price}>{t('units', { amount: groupedInteger(row.quota) })}</span>
          <span className={styles.amount}>{exact(row.quota)}</span>
        </li>
      </ol>
      <Proof receipt={receipt} chargedUnits={row.quota} record={record} />
    </section>
  )
}

function lineKey({ name, part }: ReceiptLine): string {
  return `${name} ${part?.kind ?? ''} ${part?.model ?? ''}`
}

function LineRow({ line, money }: { readonly line: ReceiptLine; readonly money: ReceiptMoney }) {
  const t = usageLogMessages.use()
  return (
    <li>
      <span className={styles.name}>
        {lineName(line.name, t)}
        {line.part !== undefined && <span className="muted"> · {formatPart(line.part, t)}</span>}
      </span>
      <span className={styles.count}>{groupedInteger(line.count)}</span>
      <span className={styles.times}>×</span>
      <span className={styles.price}>
        {money.unitPrice(line)}
        {line.per !== 'one' && <span className="muted"> / {line.per === 'million' ? 'M' : 'k'}</span>}
      </span>
      <span className={styles.amount}>{money.amount(line.amount)}</span>
    </li>
  )
}

interface SubtotalRowsProps {
  readonly receipt: Receipt
  readonly group: string
  readonly money: ReceiptMoney
}

function SubtotalRows({ receipt, group, money }: SubtotalRowsProps) {
  const t = usageLogMessages.use()
  return (
    <>
      <li className={`ink-text ${styles.above}`}>
        <span className={styles.name}>{t('receipt.subtotal')}</span>
        <span className={styles.amount}>{money.amount(receipt.subtotal)}</span>
      </li>
      <li>
        <span className={styles.name}>
          {group === '' ? t('word.groupRatio') : t('word.groupName', { group })}
        </span>
        <span className={styles.times}>×</span>
        <span className={styles.price}>{decimalText(receipt.groupRatio)}</span>
        <span className={styles.amount}>{money.amount(receipt.exact)}</span>
      </li>
      <RoundingRow receipt={receipt} />
    </>
  )
}

const UNIT_PLACES = 3

function RoundingRow({ receipt }: { readonly receipt: Receipt }) {
  const t = usageLogMessages.use()
  const { rounding, exact, units } = receipt
  if (rounding === 'none') return null
  const unrounded = grouped(trimmed(quotientText(exact, one, UNIT_PLACES), 0))
  return (
    <li className="muted">
      <span className={styles.name}>{t(`rounding.${rounding}`)}</span>
      <span className={styles.wide}>
        {unrounded} → {t('units', { amount: groupedInteger(Number(units)) })}
      </span>
    </li>
  )
}

const tones: Readonly<Record<Verdict, Tone>> = {
  equal: 'ok',
  limited: 'look',
  interrupted: 'look',
  corrected: 'look',
  unproven: 'look',
  differs: 'act',
}

interface ProofProps {
  readonly receipt: Receipt
  readonly chargedUnits: number
  readonly record: CallRecord
}

/** States whether the computed amount equals the charge. */
function Proof({ receipt, chargedUnits, record }: ProofProps) {
  const t = usageLogMessages.use()
  const verdict = verdictOf(receipt, chargedUnits, record)
  const values = {
    computed: groupedInteger(Number(receipt.units)),
    charged: groupedInteger(chargedUnits),
    waived: groupedInteger(Number(receipt.units) - chargedUnits),
  }
  return (
    <div className={styles.proof} role={verdict === 'differs' ? 'alert' : undefined}>
      <Status tone={tones[verdict]} label={t(`proof.${verdict}`, values)} />
    </div>
  )
}
