import type { ReactNode } from 'react'

export interface SelectOption<Value> {
  readonly value: Value
  readonly label: string
}

export interface SelectProps<Value extends string | number> {
  /** Accessible name; not needed if a `label` element refers to the `id`. */
  readonly label?: string
  readonly id?: string
  /** Shown while no value is selected. */
  readonly placeholder?: string
  readonly value: Value | undefined
  readonly options: readonly SelectOption<Value>[]
  readonly widthPx?: number
  readonly listHeightPx?: number
  readonly className?: string | undefined
  /** Typing filters the options; for long lists. */
  readonly isSearchable?: boolean
  readonly isLoading?: boolean
  /** Shown in the list if there are no options. */
  readonly nothing?: ReactNode
  readonly onChange: (value: Value) => void
  /** Omitted if a value is required. */
  readonly onClear?: () => void
}
