/** What the vendor's models can and want, by their names. https://docs.anthropic.com/en/docs/about-claude/models */

interface Version {
  readonly family: string
  readonly major: number
  readonly minor: number
}

/** `claude-opus-4-6-20260101` and, as older names have it, `claude-3-7-sonnet-latest`. */
export function claudeVersion(model: string): Version | undefined {
  const newer = /claude-([a-z]+)-(\d)(?:[-.](\d{1,2}))?(?!\d)/.exec(model)
  if (newer !== null) return version(newer[1], newer[2], newer[3])
  const older = /claude-(\d)(?:[-.](\d))?-([a-z]+)/.exec(model)
  return older === null ? undefined : version(older[3], older[1], older[2])
}

function version(family = '', major = '0', minor = '0'): Version {
  return { family, major: Number(major), minor: Number(minor) }
}

/** Decides by itself how much to think, and takes an effort instead of a budget. */
export function isAdaptive(model: string): boolean {
  return isAtLeast(model, 4, 6)
}

/** Refuses temperature and its kin. */
export function isWithoutSampling(model: string): boolean {
  return claudeVersion(model)?.family === 'opus' && isAtLeast(model, 4, 7)
}

/** Follows a JSON schema by itself; the others are asked to in words. */
export function hasStructuredOutput(model: string): boolean {
  return isAtLeast(model, 4, 5)
}

/** Thinks when asked to. */
export function canThink(model: string): boolean {
  return isAtLeast(model, 3, 7)
}

/** A name that tells no version is believed to be of the newest. */
function isAtLeast(model: string, major: number, minor: number): boolean {
  const found = claudeVersion(model)
  if (found === undefined) return true
  return found.major > major || (found.major === major && found.minor >= minor)
}
