import type { ReactNode } from 'react'
import styles from './page.module.css'

/** The column of a console page: header, filters, table, with one distance between them. */
export function Page({ children }: { readonly children: ReactNode }) {
  return <div className={styles.page}>{children}</div>
}
