import { useId } from 'react'
import { TextInput } from './text-input.tsx'

interface SuggestInputProps {
  readonly label: string
  readonly value: string
  readonly widthPx: number
  /** Suggestions; any other text is accepted too. The browser filters them by the typed text. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (text: string) => void
}

/** A text field with suggestions, shown by the browser's native list. */
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
