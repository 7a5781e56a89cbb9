import { useCallback, useLayoutEffect, useRef } from 'react'

/** A reader this close to the end counts as following the text. */
const NEAR_PX = 48

/**
 * Keeps the end of a growing text in view for a reader who is at the end; does not move the text for a reader
 * who scrolled up.
 */
export function useStickToEnd(growing: unknown) {
  const frame = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    if (growing && frame.current && isAtEnd.current) frame.current.scrollTop = frame.current.scrollHeight
  }, [growing])
  const onScroll = useCallback(() => {
    const element = frame.current
    if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
  }, [])
  const stick = useCallback(() => {
    isAtEnd.current = true
  }, [])
  return { frame, onScroll, stick }
}
