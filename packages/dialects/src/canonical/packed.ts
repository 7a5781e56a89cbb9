import { dialectNames, type DialectName, type Raw } from './raw.ts'

/**
 * A field that has room for one text carries another vendor's as well: its dialect stands before it. No vendor's own
 * texts of this kind hold a colon.
 */
const PACKED = /^(openai|responses|anthropic|gemini):([^]*)$/

export function unpack(text: string | undefined, own: DialectName): Raw<string> | undefined {
  if (text === undefined) return undefined
  const packed = PACKED.exec(text)
  if (packed === null) return { dialect: own, value: text }
  return { dialect: dialectNames.find((name) => name === packed[1]) ?? own, value: packed[2] ?? '' }
}

export function pack({ dialect, value }: Raw<string>, own: DialectName): string {
  return dialect === own ? value : `${dialect}:${value}`
}
