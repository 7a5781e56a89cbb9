import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

/** How near somebody has come to a control: pointed at it, put the cursor into it, or asked it to open. */
const steps = ['away', 'near', 'focused', 'opened'] as const
export type Reach = (typeof steps)[number]

/**
 * Tells when the code of a control is wanted. A mouse announces itself, so that the code is usually there before the
 * click; a finger does not, and what it touches may still become a scroll.
 */
export function useReach(preload: () => unknown) {
  const [reach, setReach] = useState<Reach>('away')
  const isPressed = useRef(false)
  const raise = (next: Reach) =>
    setReach((before) => (steps.indexOf(next) > steps.indexOf(before) ? next : before))
  const handlers = {
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') raise('near')
      else void preload()
    },
    onPointerDown: (event: PointerEvent) => {
      isPressed.current = true
      if (event.pointerType !== 'mouse' || event.button !== 0) return
      // A control that took its place by now would be closed again by the rest of this very click.
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
      raise('opened')
    },
    onPointerCancel: () => {
      isPressed.current = false
    },
    // The click that follows a touch would be lost if the control were exchanged before it.
    onFocus: () => (isPressed.current ? void preload() : raise('focused')),
    onClick: () => raise('opened'),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'ArrowDown' || key === 'ArrowUp') raise('opened')
    },
  }
  return { reach, handlers }
}
