import { useState } from 'react'
import { useSearchState } from '../../shared/routing/search.ts'
import { usePaging } from '../../shared/table/paging.ts'
import { keyOf, rangeOf, type TaskFilters, taskSearchSchema, type TimeRange } from './search.ts'

/** Filters, page and range of a log, by its address. The standard range moves on when it is asked for again. */
export function useTaskSearch(standardOf: (now: Date) => TimeRange) {
  const [search, setSearch] = useSearchState(taskSearchSchema)
  const [standardRange, setStandardRange] = useState(() => standardOf(new Date()))
  const find = (filters: TaskFilters): void => {
    setStandardRange(standardOf(new Date()))
    setSearch({ ...filters, p: 1 })
  }
  return {
    filters: search,
    key: keyOf(search),
    standardRange,
    range: rangeOf(search, standardRange),
    paging: usePaging(search.p, setSearch),
    find,
  }
}
