import { Select } from 'antd'

interface FilterSelectProps<Value extends string | number> {
  /** Said to those who hear the page; shown too while nothing is chosen, unless `placeholder` is. */
  readonly label: string
  readonly placeholder?: string
  readonly value: Value
  /** Stands for "not filtered": "" or 0. */
  readonly none: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}

/** One thing a list can be narrowed by. */
export function FilterSelect<Value extends string | number>({
  label,
  placeholder = label,
  value,
  none,
  options,
  onChange,
}: FilterSelectProps<Value>) {
  return (
    <Select<Value>
      allowClear
      style={{ width: 152 }}
      placeholder={placeholder}
      aria-label={label}
      {...(value !== none && { value })}
      options={[...options]}
      onChange={(chosen: Value | undefined) => onChange(chosen ?? none)}
    />
  )
}
