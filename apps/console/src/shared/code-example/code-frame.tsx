import type { ReactNode } from 'react'
import { CopyButton } from '../copy/copy-button.tsx'
import styles from './code-example.module.css'

interface CodeFrameProps {
  /** Left of the copy button: a title, or buttons that choose what is shown. */
  readonly head: ReactNode
  readonly text: string
  /** Copies something else than what is shown, such as the text with its secret. */
  readonly onCopy?: () => void
  /** As high as the text needs; otherwise high enough that a choice of texts does not move the page. */
  readonly isFitted?: boolean
}

/** A text that is copied as a whole: code, a command, a file. */
export function CodeFrame({ head, text, onCopy, isFitted = false }: CodeFrameProps) {
  return (
    <figure className={styles.frame}>
      <figcaption className={styles.tools}>
        {head}
        <span className={styles.copy}>
          <CopyButton text={text} onCopy={onCopy} />
        </span>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on a phone, so the keys must reach it */}
      <pre className={isFitted ? `${styles.code} ${styles.fitted}` : styles.code} tabIndex={0}>
        {text}
      </pre>
    </figure>
  )
}
