import { dialectNames, type DialectName, type Raw } from './raw.ts'

/**
 * Packs another vendor's value into a field that has room for a single text, prefixed with its dialect and a
 * colon. No vendor's own values of this kind contain a colon.
 */
const PACKED = /^(openai|responses|anthropic|gemini):([^]*)$/

export function unpackForeignValue(text: string | undefined, own: DialectName): Raw<string> | undefined {
  if (text === undefined) return undefined
  const packed = PACKED.exec(text)
  if (packed === null) return { dialect: own, value: text }
  return { dialect: dialectNames.find((name) => name === packed[1]) ?? own, value: packed[2] ?? '' }
}

export function packForeignValue({ dialect, value }: Raw<string>, own: DialectName): string {
  return dialect === own ? value : `${dialect}:${value}`
}
