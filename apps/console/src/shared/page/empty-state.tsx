import type { ReactNode } from 'react'
import styles from './states.module.css'

interface EmptyStateProps {
  readonly title: string
  /** Tells the reader what to do next. */
  readonly text?: string
  readonly action?: ReactNode
}

/** Shown when there is no data, with a next step for the reader. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <p className="ink-text">{title}</p>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}
