import { Input } from 'antd'
import { useTypedSearch } from './use-typed-search.ts'

interface FilterInputProps {
  readonly label: string
  /** What the list is narrowed by now. */
  readonly value: string
  /** Called a moment after typing stops, and at once on Enter or when cleared. */
  readonly onChange: (text: string) => void
}

/** A text that a list can be narrowed by, beside its search field. */
export function FilterInput({ label, value, onChange }: FilterInputProps) {
  const { draft, onType, searchNow } = useTypedSearch(value, onChange)
  return (
    <Input
      allowClear
      style={{ width: 152 }}
      placeholder={label}
      aria-label={label}
      value={draft}
      onChange={(event) => onType(event.target.value)}
      onPressEnter={searchNow}
    />
  )
}
