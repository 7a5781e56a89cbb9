import type { ReactNode } from 'react'
import { FilterRow } from './filter-row.tsx'
import { SearchInput } from './search-input.tsx'

interface SearchRowProps {
  /** What is searched for now. */
  readonly keyword: string
  readonly placeholder: string
  readonly onSearch: (keyword: string) => void
  /** How many filters narrow the list now. */
  readonly activeCount: number
  readonly children?: ReactNode
}

/** The filters of a list that is searched by a word first of all. */
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
