const FIELDS = 'input, textarea, select, [contenteditable]'

/**
 * Focuses the first field of a dialog once the dialog is open. A reader who has already moved the focus to
 * one of its fields stays there.
 */
export function focusOn(id: string): void {
  const field = document.getElementById(id)
  const { activeElement } = document
  const isFilling = activeElement?.matches(FIELDS) && field?.closest('[role=dialog]')?.contains(activeElement)
  if (!isFilling) field?.focus()
}
