import { useId } from 'react'
import { TextInput } from './text-input.tsx'

interface SuggestInputProps {
  readonly label: string
  readonly value: string
  readonly widthPx: number
  /** What is offered; anything else may be typed too. The browser shows those that have what was typed. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (text: string) => void
}

/** A line of text with known names on offer, in the list of the browser. */
export function SuggestInput({ label, value, widthPx, options, onChange }: SuggestInputProps) {
  const id = useId()
  return (
    <>
      <TextInput
        label={label}
        placeholder={label}
        value={value}
        widthPx={widthPx}
        onChange={onChange}
        native={{ list: id, autoComplete: 'off' }}
      />
      <datalist id={id}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </datalist>
    </>
  )
}
