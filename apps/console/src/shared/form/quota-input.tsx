import { Button } from 'antd'
import { abbreviated } from '../format/money.ts'
import { useMoney } from '../format/use-money.ts'
import { NumberInput } from './number-input.tsx'
import styles from './quota-input.module.css'

interface QuotaInputProps {
  /** Quota units, passed in by the surrounding form field. */
  readonly value?: number | undefined
  readonly onChange?: (units: number | undefined) => void
  readonly id?: string
  readonly isDisabled?: boolean
  /** Amounts offered for selection with one click, in quota units. By default, round sums of dollars. */
  readonly pickUnits?: readonly number[]
}

const PICKS_IN_DOLLARS = [1, 10, 50, 100, 500, 1000] as const

/**
 * An amount of quota, typed in dollars on a site that shows money and otherwise in units; the value is always
 * in units.
 */
export function QuotaInput({ value, onChange, id, isDisabled = false, pickUnits }: QuotaInputProps) {
  const { rule } = useMoney()
  const picks = pickUnits ?? PICKS_IN_DOLLARS.map((dollars) => dollars * rule.unitsPerDollar)
  const scale = rule.isCurrency ? rule.unitsPerDollar : 1
  return (
    <div className={styles.input}>
      <NumberInput
        id={id}
        scale={scale}
        isDisabled={isDisabled}
        prefix={rule.isCurrency ? '$' : undefined}
        value={value}
        onChange={onChange}
      />
      {picks.map((units) => (
        <Button key={units} size="small" disabled={isDisabled} onClick={() => onChange?.(units)}>
          {rule.isCurrency ? `$${Number((units / rule.unitsPerDollar).toFixed(6))}` : abbreviated(units)}
        </Button>
      ))}
    </div>
  )
}
