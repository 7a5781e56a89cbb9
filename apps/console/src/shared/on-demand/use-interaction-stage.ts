import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

/**
 * How far the reader's interaction with a control has gone: pointed at it, focused it, or pressed it to open.
 */
const steps = ['away', 'near', 'focused', 'opened'] as const
export type InteractionStage = (typeof steps)[number]

/**
 * Tracks when the code of a control is needed. A mouse points at the control first, so the code is usually
 * loaded before the click. A finger does not, and a touch may still become a scroll.
 */
export function useInteractionStage(preload: () => unknown) {
  const [reach, setReach] = useState<InteractionStage>('away')
  const isPressed = useRef(false)
  const raise = (next: InteractionStage) =>
    setReach((before) => (steps.indexOf(next) > steps.indexOf(before) ? next : before))
  const handlers = {
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'mouse') raise('near')
      else void preload()
    },
    onPointerDown: (event: PointerEvent) => {
      isPressed.current = true
      if (event.pointerType !== 'mouse' || event.button !== 0) return
      // If the control were replaced by now, the remaining events of this click would close it again.
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
      raise('opened')
    },
    onPointerCancel: () => {
      isPressed.current = false
    },
    // The click that follows a touch would be lost if the control were replaced before it.
    onFocus: () => (isPressed.current ? void preload() : raise('focused')),
    onClick: () => raise('opened'),
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'ArrowDown' || key === 'ArrowUp') raise('opened')
    },
  }
  return { reach, handlers }
}
