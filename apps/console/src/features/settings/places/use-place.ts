import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import { paths } from '../../../shared/routing/paths.ts'

/** What can be sent to a colleague: a section or a setting, on its tab. */
export function placeAddress(tab: string, place: string): string {
  return `${paths.settings}?tab=${tab}#${place}`
}

/** What the address names after `#`: a section, a setting, or nothing. */
export function usePlace(): string {
  return useLocation({ select: ({ hash }) => hash })
}

/** Scrolls to the place that the address names, and keeps it there while what stands above it is still being drawn. */
export function useScrollToPlace(place: string, area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (place === '' || area.current === null) return undefined
    document.getElementById(place)?.focus({ preventScroll: true })
    return keepInView(place, area.current)
  }, [place, area])
}

/** Whoever does any of this looks at something else by now. */
const LEAVING = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Ends when somebody scrolls or types, or with the returned function. */
function keepInView(place: string, area: HTMLElement): () => void {
  const scroll = () => document.getElementById(place)?.scrollIntoView()
  const observer = new ResizeObserver(scroll)
  const left = new AbortController()
  const stop = () => {
    observer.disconnect()
    left.abort()
  }
  scroll()
  observer.observe(area)
  for (const event of LEAVING) window.addEventListener(event, stop, { passive: true, signal: left.signal })
  return stop
}
