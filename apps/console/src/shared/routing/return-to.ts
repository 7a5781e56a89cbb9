/** Where to go after signing in: the page that asked for it, if it is one of ours. Never another site. */
export function safeReturn(returnTo: string, fallback: string): string {
  const isOurs = /^\/(?![/\\])/.test(returnTo) && !hasControlCharacter(returnTo)
  return isOurs && !returnTo.startsWith('/login') ? returnTo : fallback
}

/** Browsers drop tabs and line breaks from addresses: `/<tab>/evil` would become `//evil`. */
function hasControlCharacter(text: string): boolean {
  return Array.from(text).some((character) => character < ' ')
}
