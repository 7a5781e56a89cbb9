import type { SettingTab } from '@tollgate/contract/options/section'
import { useEffect, useState } from 'react'
import { sectionAt } from './section-at.ts'

/** Tolerance for fractional pixel positions. */
const ROUNDING_PX = 2

/** The key of the section that is being read; updated while the page is scrolled. */
export function useCurrentSection({ sections }: SettingTab, chosen: string): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.key)
  useEffect(() => {
    const look = () => setCurrent(currentOf(sections, chosen))
    look()
    const stop = new AbortController()
    const options = { passive: true, signal: stop.signal }
    window.addEventListener('scroll', look, options)
    window.addEventListener('resize', look, options)
    return () => stop.abort()
  }, [sections, chosen])
  return current
}

function currentOf(sections: SettingTab['sections'], chosen: string): string | undefined {
  const elements = sections.flatMap(({ key }) => document.getElementById(key) ?? [])
  const [first] = elements
  if (first === undefined) return undefined
  const { scrollHeight, clientHeight } = document.documentElement
  return sectionAt(
    elements.map((element) => ({ key: element.id, top: element.getBoundingClientRect().top })),
    {
      line: (Number.parseFloat(getComputedStyle(first).scrollMarginTop) || 0) + ROUNDING_PX,
      isAtEnd: clientHeight < scrollHeight && window.scrollY + clientHeight >= scrollHeight - ROUNDING_PX,
      chosen,
    },
  )
}
