import { Button, InputNumber } from 'antd'
import { abbreviated } from '../format/money.ts'
import { useMoney } from '../format/use-money.ts'
import styles from './quota-input.module.css'

interface QuotaInputProps {
  /** Quota units; given by the form field around it. */
  readonly value?: number
  readonly onChange?: (units: number) => void
  readonly id?: string
  readonly isDisabled?: boolean
  /** Amounts to choose with one click, in units; round sums of dollars unless told. */
  readonly pickUnits?: readonly number[]
}

const PICKS_IN_DOLLARS = [1, 10, 50, 100, 500, 1000] as const

/** An amount of quota, typed in dollars where the site shows money and in units where it does not; kept in units. */
export function QuotaInput({ value = 0, onChange, id, isDisabled = false, pickUnits }: QuotaInputProps) {
  const { rule } = useMoney()
  const picks = pickUnits ?? PICKS_IN_DOLLARS.map((dollars) => dollars * rule.unitsPerDollar)
  const scale = rule.isCurrency ? rule.unitsPerDollar : 1
  const change = (shown: number | null) => onChange?.(Math.round((shown ?? 0) * scale))
  return (
    <div className={styles.input}>
      <InputNumber
        {...(id !== undefined && { id })}
        min={0}
        step={1}
        precision={rule.isCurrency ? 6 : 0}
        disabled={isDisabled}
        prefix={rule.isCurrency ? '$' : undefined}
        value={value / scale}
        onChange={change}
      />
      {picks.map((units) => (
        <Button key={units} size="small" disabled={isDisabled} onClick={() => onChange?.(units)}>
          {pickUnits && !rule.isCurrency
            ? abbreviated(units)
            : `$${Number((units / rule.unitsPerDollar).toFixed(6))}`}
        </Button>
      ))}
    </div>
  )
}
