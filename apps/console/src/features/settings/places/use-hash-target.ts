import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import { paths } from '../../../shared/routing/paths.ts'

/** The address of a section or a setting on its tab, which can be shared with a colleague. */
export function hashAddress(tab: string, place: string): string {
  return `${paths.settings}?tab=${tab}#${place}`
}

/** The part of the address after `#`: a section, a setting, or nothing. */
export function useHashTarget(): string {
  return useLocation({ select: ({ hash }) => hash })
}

/**
 * Scrolls to the place that the address names, and keeps it in view while the content above it is still being
 * drawn.
 */
export function useScrollToPlace(place: string, area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (place === '' || area.current === null) return undefined
    document.getElementById(place)?.focus({ preventScroll: true })
    return keepInView(place, area.current)
  }, [place, area])
}

/** Any of these events means that the reader has moved on. */
const LEAVING = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Stops when the reader scrolls, presses or types, or when the returned function is called. */
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
