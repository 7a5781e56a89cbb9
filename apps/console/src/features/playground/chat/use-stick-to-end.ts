import { useCallback, useLayoutEffect, useRef } from 'react'

/** So close to the end still counts as reading along. */
const NEAR_PX = 48

/** Keeps the end of a growing text in view for a reader who is there, and leaves one who scrolled up alone. */
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
