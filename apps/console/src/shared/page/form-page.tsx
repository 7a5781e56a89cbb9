import type { ReactNode } from 'react'
import { Mark } from '../icon/mark.tsx'
import styles from './form-page.module.css'
import { useDocumentTitle } from './page-header.tsx'

interface FormPageProps {
  readonly title: string
  readonly purpose: string
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A page with one form in the middle, for visitors who are not signed in yet: login, setup. */
export function FormPage({ title, purpose, isWide = false, children }: FormPageProps) {
  useDocumentTitle(title)
  return (
    <div className={isWide ? `${styles.page} ${styles.wide}` : styles.page}>
      <header className={styles.header}>
        <Mark sizePx={32} />
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.purpose}>{purpose}</p>
      </header>
      <div className={styles.card}>{children}</div>
    </div>
  )
}
