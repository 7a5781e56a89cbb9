import { SelectOnDemand } from '../on-demand/select-on-demand.tsx'
import type { SelectOption } from '../on-demand/select-props.ts'

interface FilterSelectProps<Value extends string | number> {
  /** Said to those who hear the page; shown too while nothing is chosen, unless `placeholder` is. */
  readonly label: string
  readonly placeholder?: string
  readonly value: Value
  /** Stands for "not filtered": "" or 0. */
  readonly none: Value
  readonly options: readonly SelectOption<Value>[]
  /** For many options: typing narrows them. */
  readonly isSearchable?: boolean
  readonly widthPx?: number
  readonly onChange: (value: Value) => void
}

/** One thing a list can be narrowed by. */
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
