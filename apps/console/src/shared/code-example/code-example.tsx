import { useState } from 'react'
import { CodeFrame } from './code-frame.tsx'

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
  const buttons = examples.map(({ id, label }) => (
    <button key={id} type="button" aria-pressed={id === shown.id} onClick={() => setChosen(id)}>
      {label}
    </button>
  ))
  return <CodeFrame head={buttons} text={shown.text} />
}
