import { useEffect } from 'react'
import { openPalette } from '../../shared/palette/palette-store.ts'

/** `Ctrl/⌘ K` opens the palette; `/` focuses the search field of the page. */
export function useShortcuts(): void {
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey) {
    event.preventDefault()
    openPalette()
  }
  if (event.key === '/' && !isTyping(event.target) && focusSearch()) event.preventDefault()
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('input[data-search]')
  field?.focus()
  field?.select()
  return field !== null
}
