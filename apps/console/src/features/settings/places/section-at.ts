/** A section's position on screen, in pixels from the upper edge. */
export interface StandingSection {
  readonly key: string
  readonly top: number
}

export interface ReadingPlace {
  /** A section whose top has passed this line counts as being read. */
  readonly line: number
  /** The page cannot be scrolled further. */
  readonly isAtEnd: boolean
  /** The section that the address names; empty if none. */
  readonly chosen: string
}

/**
 * The section that is being read. At the end of the page that is the last one, or the chosen one, because
 * short sections at the end can never be scrolled to the line.
 */
export function sectionAt(
  sections: readonly StandingSection[],
  { line, isAtEnd, chosen }: ReadingPlace,
): string | undefined {
  const passed = sections.findLast(({ top }) => top <= line) ?? sections[0]
  if (!isAtEnd) return passed?.key
  const shown = sections.find(({ key, top }) => key === chosen && top >= 0)
  return shown?.key ?? sections.at(-1)?.key
}
