import styles from './pending-page.module.css'

/** Placeholder of a page while its code is loading: a title, a line, a surface. */
export function PendingPage() {
  return (
    <div className={styles.page} aria-busy="true">
      <span className={styles.title} />
      <span className={styles.line} />
      <span className={styles.surface} />
    </div>
  )
}
