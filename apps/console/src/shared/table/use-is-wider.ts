import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * True while the content does not fit its frame. Only then does the frame scroll horizontally; otherwise the
 * table header can stick to the page.
 */
export function useIsWiderThanItsFrame(frame: RefObject<HTMLElement | null>): boolean {
  const [isWider, setIsWider] = useState(false)
  useLayoutEffect(() => {
    const element = frame.current
    const content = element?.firstElementChild
    if (!element || !content) return undefined
    const observer = new ResizeObserver(() => setIsWider(content.scrollWidth > element.clientWidth + 1))
    observer.observe(element)
    observer.observe(content)
    return () => observer.disconnect()
  }, [frame])
  return isWider
}
