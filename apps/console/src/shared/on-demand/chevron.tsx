import { Icon } from '../icon/icon.tsx'
import styles from './box.module.css'

/** The arrow of a select, used both before and after the select's code is loaded. */
export function Chevron() {
  return (
    <span className={styles.chevron}>
      <Icon name="chevronDown" sizePx={12} />
    </span>
  )
}
