import { type ReactNode, useState } from 'react'
import styles from './card.module.css'
import { dashboardMessages } from './i18n.ts'

interface CardProps {
  readonly title: string
  readonly chart: ReactNode
  /** The numbers behind the chart; omitted if they are already shown beside it. */
  readonly table?: ReactNode
  readonly isWide?: boolean
}

/** A chart with its title; a button shows the same numbers as a table. */
export function Card({ title, chart, table, isWide = false }: CardProps) {
  const t = dashboardMessages.use()
  const [isTable, setIsTable] = useState(false)
  return (
    <section className={isWide ? `${styles.card} ${styles.wide}` : styles.card}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {table !== undefined && (
          <button type="button" className={styles.toggle} onClick={() => setIsTable(!isTable)}>
            {isTable ? t('chart.asChart') : t('chart.asTable')}
          </button>
        )}
      </header>
      {isTable ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long table scrolls, so the keys must reach it
        <section className={styles.table} tabIndex={0} aria-label={title}>
          {table}
        </section>
      ) : (
        chart
      )}
    </section>
  )
}
