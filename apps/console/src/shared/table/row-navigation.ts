import type { KeyboardEvent } from 'react'

interface RowKeyOptions {
  readonly isOpen: boolean
  /** Absent if the row has no details to open. */
  readonly onToggle: (() => void) | undefined
}

/**
 * Up and Down move between rows, Right and Enter open one, Left closes it. Keys pressed inside a control of
 * the row are left to that control.
 */
export function rowKeyHandler({ isOpen, onToggle }: RowKeyOptions) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return
    const handled = moveFocus(event) || toggle(event.key, isOpen, onToggle)
    if (handled) event.preventDefault()
  }
}

function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLElement>): boolean {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return false
  neighbour(currentTarget, key === 'ArrowDown' ? 1 : -1)?.focus()
  return true
}

function neighbour(row: HTMLElement, step: 1 | -1): HTMLElement | undefined {
  const rows = [...(row.parentElement?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? [])]
  return rows[rows.indexOf(row) + step]
}

function toggle(key: string, isOpen: boolean, onToggle: (() => void) | undefined): boolean {
  if (onToggle === undefined) return false
  const isAsked = key === 'Enter' || (key === 'ArrowRight' && !isOpen) || (key === 'ArrowLeft' && isOpen)
  if (isAsked) onToggle()
  return isAsked
}
