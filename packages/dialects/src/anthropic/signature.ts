import type { DialectName, Raw } from '../canonical/raw.ts'

/**
 * Reads a signature. A signature from another vendor is carried in the same single text field, prefixed with
 * its dialect and a colon. Anthropic's own signatures are base64 and never contain a colon.
 */
const PACKED = /^(openai|responses|gemini):([^]*)$/

export function readSignature(text: string | undefined): Raw<string> | undefined {
  if (text === undefined) return undefined
  const packed = PACKED.exec(text)
  if (packed === null) return { dialect: 'anthropic', value: text }
  return { dialect: dialectOf(packed[1]), value: packed[2] ?? '' }
}

export function writeSignature({ dialect, value }: Raw<string>): string {
  return dialect === 'anthropic' ? value : `${dialect}:${value}`
}

function dialectOf(name: string | undefined): DialectName {
  return (['openai', 'responses', 'gemini'] as const).find((each) => each === name) ?? 'anthropic'
}
