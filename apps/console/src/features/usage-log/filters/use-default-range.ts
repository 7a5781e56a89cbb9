import { useState } from 'react'
import { defaultRange, type TimeRange } from './search.ts'

/**
 * The default time range for the filters identified by `key`, computed when they were last applied. It
 * changes with new filters and on renewal, but not with every render, so that the query key stays the same.
 */
export function useDefaultRange(key: string): readonly [TimeRange, () => TimeRange] {
  const [asked, setAsked] = useState(() => askedNow(key))
  if (asked.key !== key) setAsked(askedNow(key))
  const renew = () => {
    const renewed = askedNow(key)
    setAsked(renewed)
    return renewed.range
  }
  return [asked.range, renew]
}

function askedNow(key: string): { readonly key: string; readonly range: TimeRange } {
  return { key, range: defaultRange(new Date()) }
}
