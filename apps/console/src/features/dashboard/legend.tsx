import type { ReactNode } from 'react'
import styles from './legend.module.css'

interface LegendEntry {
  readonly key: string
  readonly colour: string
  readonly name: ReactNode
}

/** Explains the colours of a chart. */
export function Legend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  return (
    <ul className={styles.legend}>
      {entries.map(({ key, colour, name }) => (
        <li key={key}>
          <span className={styles.dot} style={{ background: colour }} />
          {name}
        </li>
      ))}
    </ul>
  )
}
