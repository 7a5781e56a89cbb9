/**
 * The page to open after signing in: the one that required it, if it belongs to this site; never another
 * site.
 */
export function safeReturn(returnTo: string, fallback: string): string {
  const isOurs = /^\/(?![/\\])/.test(returnTo) && !hasControlCharacter(returnTo)
  return isOurs && !returnTo.startsWith('/login') ? returnTo : fallback
}

/** Browsers remove tabs and line breaks from addresses: `/<tab>/evil` would become `//evil`. */
function hasControlCharacter(text: string): boolean {
  return Array.from(text).some((character) => character < ' ')
}
