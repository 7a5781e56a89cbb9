import type { ReactNode } from 'react'
import { Mark } from '../../shared/icon/mark.tsx'
import styles from './full-page.module.css'

interface FullPageProps {
  readonly title: string
  readonly text: string
  /** What can be done about it. */
  readonly children: ReactNode
}

/** One message in the middle of the page: not found, not allowed, failed. */
export function FullPage({ title, text, children }: FullPageProps) {
  return (
    <div className={styles.page}>
      <Mark sizePx={40} />
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      <div className={styles.actions}>{children}</div>
    </div>
  )
}
