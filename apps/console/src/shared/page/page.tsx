import type { ReactNode } from 'react'
import { PageHeader, type PageHeaderProps } from './page-header.tsx'
import styles from './page.module.css'

interface PageProps extends PageHeaderProps {
  readonly children: ReactNode
}

/** A console page: its header, and below it filters and table with uniform spacing. */
export function Page({ children, ...header }: PageProps) {
  return (
    <PageBody>
      <PageHeader {...header} />
      {children}
    </PageBody>
  )
}

/** The space of a page that has no header yet. */
export function PageBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles.page}>{children}</div>
}
