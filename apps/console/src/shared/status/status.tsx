import { groupTone, type LabelTone } from './label-tones.ts'
import styles from './status.module.css'

/**
 * `ok`: good; `fair`: slightly worse; `look`: worth a look; `act`: needs action; `idle`: switched off or
 * unknown.
 */
export type Tone = 'ok' | 'fair' | 'look' | 'act' | 'idle'

/** A state as a dot and a word, so that it never depends on colour alone. */
export function Status({ tone, label }: { readonly tone: Tone; readonly label: string }) {
  return (
    <span className={styles.status}>
      <span className={`${styles.dot} ${styles[tone]}`} aria-hidden="true" />
      {label}
    </span>
  )
}

const labelClasses: Readonly<Record<LabelTone, string | undefined>> = {
  plain: undefined,
  accent: styles.accentLabel,
  look: styles.lookLabel,
  act: styles.actLabel,
}

/** An outlined word: a group, a type, `stream`. */
export function Label({ text, tone = 'plain' }: { readonly text: string; readonly tone?: LabelTone }) {
  return <span className={`${styles.label} ${labelClasses[tone] ?? ''}`}>{text}</span>
}

/** A group of users, channels or tokens; paid groups are emphasised. */
export function GroupLabel({ name }: { readonly name: string }) {
  return <Label text={name} tone={groupTone(name)} />
}
