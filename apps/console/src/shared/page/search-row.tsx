import type { ReactNode } from 'react'
import { FilterRow } from './filter-row.tsx'
import { SearchInput } from './search-input.tsx'

interface SearchRowProps {
  /** The current search text. */
  readonly keyword: string
  readonly placeholder: string
  readonly onSearch: (keyword: string) => void
  /** The number of active filters. */
  readonly activeCount: number
  readonly children?: ReactNode
}

/** A filter row whose main filter is a search field. */
export function SearchRow({ keyword, placeholder, onSearch, activeCount, children }: SearchRowProps) {
  return (
    <FilterRow
      activeCount={activeCount}
      search={<SearchInput value={keyword} placeholder={placeholder} onSearch={onSearch} />}
    >
      {children}
    </FilterRow>
  )
}
