import { Button } from 'antd'
import { abbreviated } from '../format/money.ts'
import { useMoney } from '../format/use-money.ts'
import { NumberInput } from './number-input.tsx'
import styles from './quota-input.module.css'

interface QuotaInputProps {
  /** Quota units; given by the form field around it. */
  readonly value?: number | undefined
  readonly onChange?: (units: number | undefined) => void
  readonly id?: string
  readonly isDisabled?: boolean
  /** Amounts to choose with one click, in units; what round sums of dollars come to unless told. */
  readonly pickUnits?: readonly number[]
}

const PICKS_IN_DOLLARS = [1, 10, 50, 100, 500, 1000] as const

/** An amount of quota, typed in dollars where the site shows money and in units where it does not; kept in units. */
export function QuotaInput({ value, onChange, id, isDisabled = false, pickUnits }: QuotaInputProps) {
  const { rule } = useMoney()
  const picks = pickUnits ?? PICKS_IN_DOLLARS.map((dollars) => dollars * rule.unitsPerDollar)
  const scale = rule.isCurrency ? rule.unitsPerDollar : 1
  return (
    <div className={styles.input}>
      <NumberInput
        {...(id !== undefined && { id })}
        scale={scale}
        isDisabled={isDisabled}
        prefix={rule.isCurrency ? '$' : undefined}
        value={value}
        {...(onChange && { onChange })}
      />
      {picks.map((units) => (
        <Button key={units} size="small" disabled={isDisabled} onClick={() => onChange?.(units)}>
          {rule.isCurrency ? `$${Number((units / rule.unitsPerDollar).toFixed(6))}` : abbreviated(units)}
        </Button>
      ))}
    </div>
  )
}
