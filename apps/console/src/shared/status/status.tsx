import styles from './status.module.css'

/** `ok` fine, `look` worth a look, `act` needs somebody, `idle` switched off or not known. */
export type Tone = 'ok' | 'look' | 'act' | 'idle'

interface StatusProps {
  readonly tone: Tone
  readonly label: string
}

/** A state as a dot and a word; never colour alone. */
export function Status({ tone, label }: StatusProps) {
  return (
    <span className={styles.status}>
      <span className={`${styles.dot} ${styles[tone]}`} aria-hidden="true" />
      {label}
    </span>
  )
}

/** A plain outlined word: a group, a type, `stream`. */
export function Label({ text }: { readonly text: string }) {
  return <span className={styles.label}>{text}</span>
}
