import type { ReactNode } from 'react'
import styles from './plain-alert.module.css'

interface PlainAlertProps {
  readonly tone: 'info' | 'ok' | 'look' | 'act'
  readonly title: string
  readonly description?: string
  /** An action that resolves the problem, shown at the right. */
  readonly action?: ReactNode
}

/** An inline message for pages that must work without the component library. */
export function PlainAlert({ tone, title, description, action }: PlainAlertProps) {
  const hasDescription = description !== undefined
  return (
    <div role="alert" className={`${styles.alert} ${styles[tone]} ${hasDescription ? styles.roomy : ''}`}>
      <div className={styles.words}>
        <div className={styles.title}>{title}</div>
        {hasDescription && <div>{description}</div>}
      </div>
      {action}
    </div>
  )
}
