import { Input } from 'antd'
import { useTypedSearch } from './use-typed-search.ts'

interface FilterInputProps {
  readonly label: string
  /** The current filter text. */
  readonly value: string
  /** Called shortly after typing stops, and at once on Enter or when cleared. */
  readonly onChange: (text: string) => void
}

/** A text filter of a list, for use beside its search field. */
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
