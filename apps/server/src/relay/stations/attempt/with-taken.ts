/** The caller chooses the names of unknown members, so their number is limited to what fits into a header. */
const NAMES_MAX = 32
const NAME_CHARACTERS_MAX = 64

/** All members that the upstream does not get: those taken out of every request, and those its format lacks. */
export function listDropped(taken: readonly string[], dropped: readonly string[]): readonly string[] {
  if (taken.length === 0) return dropped
  const shown = taken.map((param) => param.slice(0, NAME_CHARACTERS_MAX).replaceAll(/[^\w.-]/g, '_'))
  return [...new Set([...shown, ...dropped])].slice(0, NAMES_MAX)
}
