import type { ReactNode } from 'react'
import styles from './page.module.css'

/** The layout of a console page: header, filters and table with uniform spacing. */
export function Page({ children }: { readonly children: ReactNode }) {
  return <div className={styles.page}>{children}</div>
}
