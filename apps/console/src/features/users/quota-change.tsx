import { Button } from 'antd'
import { NumberInput } from '../../shared/form/number-input.tsx'
import { Amount } from '../../shared/format/amount.tsx'
import { abbreviated } from '../../shared/format/money.ts'
import { useMoney } from '../../shared/format/use-money.ts'
import { userMessages } from './i18n.ts'
import styles from './quota-change.module.css'

interface QuotaChangeProps {
  /** The balance that the form loaded, in quota units. */
  readonly before: number
  /** The reason why the reader may not change it. */
  readonly refusal?: string | undefined
  /** Units to add, passed in by the surrounding form field. */
  readonly value?: number | undefined
  readonly onChange?: (units: number | undefined) => void
  readonly id?: string
}

const STEPS_IN_DOLLARS = [1, 10, 50, 100] as const

/** Enters a change of a balance, and shows the balance before and after it. */
export function QuotaChange({ before, refusal, value, onChange, id }: QuotaChangeProps) {
  const t = userMessages.use()
  const { rule } = useMoney()
  const scale = rule.isCurrency ? rule.unitsPerDollar : 1
  const isLocked = refusal !== undefined
  const delta = Number.isFinite(value) ? (value ?? 0) : 0
  const after = before + delta
  return (
    <div className={styles.change}>
      <div className="line-8">
        <NumberInput
          id={id}
          className={styles.input ?? ''}
          scale={scale}
          prefix={rule.isCurrency ? '$' : undefined}
          isDisabled={isLocked}
          value={value}
          onChange={onChange}
        />
        {STEPS_IN_DOLLARS.map((dollars) => (
          <Button
            key={dollars}
            size="small"
            disabled={isLocked}
            onClick={() => onChange?.(delta + dollars * rule.unitsPerDollar)}
          >
            +{rule.isCurrency ? `$${dollars}` : abbreviated(dollars * rule.unitsPerDollar)}
          </Button>
        ))}
        <Button size="small" disabled={isLocked || before <= 0} onClick={() => onChange?.(-before)}>
          {t('form.takeAll')}
        </Button>
      </div>
      <dl className={`${styles.outcome} number`}>
        <dt>{t('form.before')}</dt>
        <dd>
          <Amount units={before} among={[before, after]} />
        </dd>
        <dt>{t('form.after')}</dt>
        <dd className={after < 0 ? styles.debt : undefined}>
          <Amount units={after} among={[before, after]} />
        </dd>
      </dl>
      {after < 0 && <p className={styles.debt}>{t('form.debt')}</p>}
      {isLocked && <p className="muted">{refusal}</p>}
    </div>
  )
}
