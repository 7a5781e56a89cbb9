import styles from './mark.module.css'

/** The mark: a post, a raised barrier in the accent colour, a ground line. The same drawing is in `public/favicon.svg`, and for consoles of the family in `public/logo.png`. */
export function Mark({ sizePx = 24 }: { readonly sizePx?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={sizePx} height={sizePx} aria-hidden="true">
      <rect className={styles.ink} x="4" y="9" width="4" height="11" rx="1" />
      <rect className={styles.ink} x="2" y="20" width="20" height="2" rx="1" />
      <path className={styles.barrier} d="M7.5 10.5 21 4.5" />
    </svg>
  )
}
