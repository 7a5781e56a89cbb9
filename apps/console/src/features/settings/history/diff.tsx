import { diffLines } from 'diff'
import styles from './diff.module.css'

interface DiffProps {
  readonly before: string
  readonly after: string
  /** `changed` leaves out unchanged lines. */
  readonly lines?: 'all' | 'changed'
}

/** A line diff: removed, added and unchanged lines. */
export function Diff({ before, after, lines = 'all' }: DiffProps) {
  const shown = linesOf(before, after).filter(({ sign }) => lines === 'all' || sign !== ' ')
  return (
    <div className={styles.diff}>
      {shown.map(({ sign, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name, and never move
        <div key={index} className={classOf(sign)}>
          <span className={styles.sign}>{sign}</span>
          <span>{text === '' ? '\u00a0' : text}</span>
        </div>
      ))}
    </div>
  )
}

type Sign = '+' | '-' | ' '
export interface DiffLine {
  readonly sign: Sign
  readonly text: string
}

export function linesOf(before: string, after: string): readonly DiffLine[] {
  return diffLines(ended(before), ended(after)).flatMap((part) => {
    const sign: Sign = part.added ? '+' : part.removed ? '-' : ' '
    return part.value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ sign, text }))
  })
}

/** Ends the text with a line break, so that a last line is equal with or without one. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function classOf(sign: Sign): string {
  if (sign === '+') return `${styles.line} ${styles.added}`
  return sign === '-' ? `${styles.line} ${styles.removed}` : `${styles.line}`
}
