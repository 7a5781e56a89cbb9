import { Button, InputNumber } from 'antd'
import { useMoney } from '../../shared/format/use-money.ts'
import { userMessages } from './i18n.ts'
import styles from './quota-change.module.css'

interface QuotaChangeProps {
  /** The balance the form has loaded, in units. */
  readonly before: number
  /** Why the reader may not change it. */
  readonly refusal?: string | undefined
  /** Units to add; given by the form field around it. */
  readonly value?: number
  readonly onChange?: (units: number) => void
  readonly id?: string
}

const STEPS_IN_DOLLARS = [1, 10, 50, 100] as const

/** What is added to a balance or taken from it, with the balance before and after. */
export function QuotaChange({ before, refusal, value = 0, onChange, id }: QuotaChangeProps) {
  const t = userMessages.use()
  const { rule, exact } = useMoney()
  const scale = rule.isCurrency ? rule.unitsPerDollar : 1
  const isLocked = refusal !== undefined
  const after = before + value
  return (
    <div className={styles.change}>
      <div className={styles.row}>
        <InputNumber
          {...(id !== undefined && { id })}
          className={styles.input}
          precision={rule.isCurrency ? 6 : 0}
          prefix={rule.isCurrency ? '$' : undefined}
          disabled={isLocked}
          value={value / scale}
          onChange={(shown) => onChange?.(Math.round((shown ?? 0) * scale))}
        />
        {STEPS_IN_DOLLARS.map((dollars) => (
          <Button
            key={dollars}
            size="small"
            disabled={isLocked}
            onClick={() => onChange?.(value + dollars * rule.unitsPerDollar)}
          >
            +${dollars}
          </Button>
        ))}
        <Button size="small" disabled={isLocked || before <= 0} onClick={() => onChange?.(-before)}>
          {t('form.takeAll')}
        </Button>
      </div>
      <dl className={`${styles.outcome} number`}>
        <dt>{t('form.before')}</dt>
        <dd>{exact(before)}</dd>
        <dt>{t('form.after')}</dt>
        <dd className={after < 0 ? styles.debt : undefined}>{exact(after)}</dd>
      </dl>
      {after < 0 && <p className={styles.debt}>{t('form.debt')}</p>}
      {isLocked && <p className="muted">{refusal}</p>}
    </div>
  )
}
