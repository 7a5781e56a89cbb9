import { useState } from 'react'
import { defaultRange, type TimeRange } from './search.ts'

/**
 * The default time range, as it was when these filters were last asked for: `key` names them. It moves on with new
 * filters and when it is renewed, not with every render, so that the same question stays the same question.
 */
export function useStandardRange(key: string): readonly [TimeRange, () => TimeRange] {
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
