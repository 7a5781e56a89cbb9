import { type ReactNode, useEffect } from 'react'
import { useStatus } from '../session/status.ts'
import styles from './page.module.css'

export interface PageHeaderProps {
  readonly title: string
  /** One sentence that explains the purpose of the page. */
  readonly purpose: string
  /** Buttons, the most important last. */
  readonly actions?: ReactNode
}

/**
 * The header of every page: its only `h1`, one sentence, and its actions at the right. It also sets the title
 * of the browser tab.
 */
export function PageHeader({ title, purpose, actions }: PageHeaderProps) {
  useDocumentTitle(title)
  return (
    <header className={styles.header}>
      <div>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.purpose}>{purpose}</p>
      </div>
      {actions !== undefined && <div className="wrap-8">{actions}</div>}
    </header>
  )
}

export function useDocumentTitle(title: string): void {
  const { system_name: site } = useStatus()
  useEffect(() => {
    document.title = `${title} · ${site}`
  }, [title, site])
}
