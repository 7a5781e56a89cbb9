import type { ReactNode } from 'react'
import styles from './states.module.css'

interface EmptyStateProps {
  readonly title: string
  /** What to do next. */
  readonly text?: string
  readonly action?: ReactNode
}

/** Nothing is here, and what to do about it. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <p className={styles.title}>{title}</p>
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}
