let registered = ''

/** The name of who has just registered in this tab; the login form begins with it. Kept in no address and no storage. */
export function keepRegisteredName(name: string): void {
  registered = name
}

export function registeredName(): string {
  return registered
}
