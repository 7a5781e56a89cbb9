const FIELDS = 'input, textarea, select, [contenteditable]'

/**
 * For the first field of a dialog, once it is open: what a reader came to fill in. Who was quicker than the opening and is
 * in a field of it already stays there.
 */
export function focusOn(id: string): void {
  const field = document.getElementById(id)
  const { activeElement } = document
  const isFilling = activeElement?.matches(FIELDS) && field?.closest('[role=dialog]')?.contains(activeElement)
  if (!isFilling) field?.focus()
}
