import type { ReactNode } from 'react'
import { Mark } from '../../shared/icon/mark.tsx'
import styles from './full-page.module.css'

interface FullPageProps {
  readonly title: string
  readonly text: string
  /** The actions that the reader can take. */
  readonly children: ReactNode
}

/** A page with a single message in the middle: not found, not allowed, or failed. */
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
