import { useMoney } from '../../../shared/format/use-money.ts'
import type { ControlProps } from './control.ts'
import styles from './controls.module.css'
import { NumberControl } from './text-controls.tsx'

/** Edits an amount of quota units, and also shows it as money if the site shows money. */
export function QuotaControl(props: ControlProps) {
  const { exact, rule } = useMoney()
  const { definition, value } = props
  const { success } = definition.schema.safeParse(value)
  return (
    <div className={styles.amount}>
      <NumberControl {...props} />
      {rule.isCurrency && success && <span className="muted number">= {plain(exact(Number(value)))}</span>}
    </div>
  )
}

/** Two decimals, and more only if they are significant. */
function plain(amount: string): string {
  return amount.replace(/(?<=\.\d\d\d*?)0+$/, '')
}
