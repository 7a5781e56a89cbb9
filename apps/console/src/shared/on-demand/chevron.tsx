import { Icon } from '../icon/icon.tsx'
import styles from './box.module.css'

/** At the end of a select, before its code is there and after. */
export function Chevron() {
  return (
    <span className={styles.chevron}>
      <Icon name="chevronDown" sizePx={12} />
    </span>
  )
}
