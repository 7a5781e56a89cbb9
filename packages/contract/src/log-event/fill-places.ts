const PLACE = /\{(\w+)\}/g

/** `{name}` in a text replaced by the value of that name. */
export function fillPlaces(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (_place, name: string) => values[name] ?? '')
}

/** The text up to its first place. */
export function beforePlaces(text: string): string {
  return text.split('{', 1)[0] ?? ''
}

/** Matches what `fillPlaces` makes of a text, with the values in groups of their names. */
export function patternOf(text: string): RegExp {
  const literal = text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${literal.replaceAll(PLACE, '(?<$1>.*?)')}$`, 'u')
}
