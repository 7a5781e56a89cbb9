import type { ReactNode } from 'react'

export interface SelectOption<Value> {
  readonly value: Value
  readonly label: string
}

export interface SelectProps<Value extends string | number> {
  /** Said to those who hear the page; not needed where a `label` element names the `id`. */
  readonly label?: string
  readonly id?: string
  /** Shown while nothing is chosen. */
  readonly placeholder?: string
  readonly value: Value | undefined
  readonly options: readonly SelectOption<Value>[]
  readonly widthPx?: number
  readonly listHeightPx?: number
  readonly className?: string | undefined
  /** For many options: typing narrows them. */
  readonly isSearchable?: boolean
  readonly isLoading?: boolean
  /** What stands in the list instead of options. */
  readonly nothing?: ReactNode
  readonly onChange: (value: Value) => void
  /** Left out where something must be chosen. */
  readonly onClear?: () => void
}
