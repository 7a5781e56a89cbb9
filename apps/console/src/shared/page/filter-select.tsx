import { SelectOnDemand } from '../on-demand/select-on-demand.tsx'
import type { SelectOption } from '../on-demand/select-props.ts'

interface FilterSelectProps<Value extends string | number> {
  /** Accessible name. It is also shown while nothing is selected, unless there is a `placeholder`. */
  readonly label: string
  readonly placeholder?: string
  readonly value: Value
  /** The value that means "not filtered": "" or 0. */
  readonly none: Value
  readonly options: readonly SelectOption<Value>[]
  /** Typing filters the options; for long lists. */
  readonly isSearchable?: boolean
  readonly widthPx?: number
  readonly onChange: (value: Value) => void
}

/** A select that filters a list by one property. */
export function FilterSelect<Value extends string | number>({
  label,
  placeholder = label,
  value,
  none,
  options,
  isSearchable = false,
  widthPx = 152,
  onChange,
}: FilterSelectProps<Value>) {
  return (
    <SelectOnDemand<Value>
      label={label}
      placeholder={placeholder}
      widthPx={widthPx}
      value={value === none ? undefined : value}
      options={options}
      isSearchable={isSearchable}
      onChange={onChange}
      onClear={() => onChange(none)}
    />
  )
}
