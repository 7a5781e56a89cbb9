let registered = ''

/**
 * The name of the user who has just registered in this tab, which pre-fills the login form. It is kept only
 * in memory, never in an address or browser storage.
 */
export function keepRegisteredName(name: string): void {
  registered = name
}

export function registeredName(): string {
  return registered
}
