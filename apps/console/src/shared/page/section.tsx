import { type ReactNode, useId } from 'react'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  /** One sentence that explains the purpose of this part. */
  readonly purpose?: string
  /** Shown at the right of the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** One part of a page, in its own card. */
export function Section({ title, purpose, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.header}>
        <div>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          {purpose !== undefined && <p className={styles.purpose}>{purpose}</p>}
        </div>
        {actions !== undefined && <div className="wrap-8">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

interface RowProps {
  readonly label: ReactNode
  readonly value?: ReactNode
  readonly actions?: ReactNode
}

/** A line of a section: label, current value, and actions. */
export function Row({ label, value, actions }: RowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.text}>
        <div className={styles.label}>{label}</div>
        {value !== undefined && <div className={styles.value}>{value}</div>}
      </div>
      {actions !== undefined && <div className="wrap-8">{actions}</div>}
    </div>
  )
}

export function Rows({ children }: { readonly children: ReactNode }) {
  return <div className={styles.rows}>{children}</div>
}
