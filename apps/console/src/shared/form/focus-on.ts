/** For the first field of a dialog, once it is open: what a reader came to fill in. */
export function focusOn(id: string): void {
  document.getElementById(id)?.focus()
}
