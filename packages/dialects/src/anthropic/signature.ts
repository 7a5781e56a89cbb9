import type { DialectName, Raw } from '../canonical/raw.ts'

/**
 * A signature another vendor gave, in a field that has room for one text only: its dialect stands before it. Signatures of
 * this vendor are base64 and never hold a colon.
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
