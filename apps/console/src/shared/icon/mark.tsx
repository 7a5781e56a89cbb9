import styles from './mark.module.css'

/**
 * The Tollgate logo: a post, a raised barrier in the accent colour, a ground line. The same drawing is in
 * `public/favicon.svg`, and in `public/logo.png` for consoles of new-api.
 */
export function Mark({ sizePx = 24 }: { readonly sizePx?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={sizePx} height={sizePx} aria-hidden="true">
      <rect className={styles.ink} x="4" y="9" width="4" height="11" rx="1" />
      <rect className={styles.ink} x="2" y="20" width="20" height="2" rx="1" />
      <path className={styles.barrier} d="M7.5 10.5 21 4.5" />
    </svg>
  )
}
