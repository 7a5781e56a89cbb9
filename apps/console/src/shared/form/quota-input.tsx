import { Button, InputNumber } from 'antd'
import { useMoney } from '../format/use-money.ts'
import styles from './quota-input.module.css'

interface QuotaInputProps {
  /** Quota units; given by the form field around it. */
  readonly value?: number
  readonly onChange?: (units: number) => void
  readonly id?: string
  readonly isDisabled?: boolean
}

const PICKS_IN_DOLLARS = [1, 10, 50, 100, 500, 1000] as const

/** An amount of quota, typed in dollars where the site shows money and in units where it does not; kept in units. */
export function QuotaInput({ value = 0, onChange, id, isDisabled = false }: QuotaInputProps) {
  const { rule } = useMoney()
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
      {PICKS_IN_DOLLARS.map((dollars) => (
        <Button
          key={dollars}
          size="small"
          disabled={isDisabled}
          onClick={() => onChange?.(dollars * rule.unitsPerDollar)}
        >
          ${dollars}
        </Button>
      ))}
    </div>
  )
}
