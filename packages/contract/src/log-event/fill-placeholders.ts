const PLACE = /\{(\w+)\}/g

/** Replaces each `{name}` in a text by the value of that name. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (_place, name: string) => values[name] ?? '')
}

/** The text before its first placeholder. */
export function textBeforePlaceholder(text: string): string {
  return text.split('{', 1)[0] ?? ''
}

/** Returns a pattern that matches the result of `fillPlaceholders` for a text, with the values as named groups. */
export function patternOf(text: string): RegExp {
  const literal = text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${literal.replaceAll(PLACE, '(?<$1>.*?)')}$`, 'u')
}
