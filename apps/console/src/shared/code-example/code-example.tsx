import { useState } from 'react'
import { CopyButton } from '../copy/copy-button.tsx'
import styles from './code-example.module.css'

export interface Example {
  readonly id: string
  readonly label: string
  readonly text: string
}

/** The same request for several tools; one is shown at a time and can be copied. */
export function CodeExample({ examples }: { readonly examples: readonly Example[] }) {
  const [chosen, setChosen] = useState(examples[0]?.id)
  const shown = examples.find(({ id }) => id === chosen) ?? examples[0]
  if (shown === undefined) return null
  return (
    <figure className={styles.frame}>
      <figcaption className={styles.tools}>
        {examples.map(({ id, label }) => (
          <button key={id} type="button" aria-pressed={id === shown.id} onClick={() => setChosen(id)}>
            {label}
          </button>
        ))}
        <span className={styles.copy}>
          <CopyButton text={shown.text} />
        </span>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on a phone, so the keys must reach it */}
      <pre className={styles.code} tabIndex={0}>
        {shown.text}
      </pre>
    </figure>
  )
}
