import { useState } from 'react'
import { useSearchState } from '../../shared/routing/search.ts'
import { usePaging } from '../../shared/table/paging.ts'
import { keyOf, rangeOf, type TaskFilters, taskSearchSchema, type TimeRange } from './search.ts'

/**
 * Filters, page and time range of a log, from its address. The default range is computed anew for each
 * search.
 */
export function useTaskSearch(standardOf: (now: Date) => TimeRange) {
  const [search, setSearch] = useSearchState(taskSearchSchema)
  const [defaultRange, setStandardRange] = useState(() => standardOf(new Date()))
  const find = (filters: TaskFilters): void => {
    setStandardRange(standardOf(new Date()))
    setSearch({ ...filters, p: 1 })
  }
  return {
    filters: search,
    key: keyOf(search),
    defaultRange,
    range: rangeOf(search, defaultRange),
    paging: usePaging(search.p, setSearch),
    find,
  }
}
