const EDGE_CHARACTERS = 4
/** In a shorter code, showing both ends would leave too little to guess. */
const BOTH_EDGES_FROM = 16

/** Enough of a code to recognise it: `0f3a…9c1d`. */
export function codePreview(key: string): string {
  const start = key.slice(0, EDGE_CHARACTERS)
  return key.length < BOTH_EDGES_FROM ? `${start}…` : `${start}…${key.slice(-EDGE_CHARACTERS)}`
}
