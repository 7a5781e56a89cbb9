import { isRecord } from '@tollgate/dialects/json'

/** Members that contain prose: their text is searched even if it looks like a file or an address. */
const WRITTEN: ReadonlySet<string> = new Set([
  'prompt',
  'negative_prompt',
  'gpt_description_prompt',
  'input',
  'instructions',
  'text',
  'content',
  'title',
  'tags',
  'lyrics',
])

/**
 * Encoded data and addresses are not searched: random letters contain every short word sooner or later, and
 * an address contains whatever name its owner chose.
 */
const ENCODED_CHARACTERS_MIN = 256
const ENCODED = /^[A-Za-z0-9+/_=-]+$/
const ADDRESS = /^(?:data:|https?:\/\/)/i

/**
 * Collects every string of a JSON value that a person may have written; addresses and encoded files are left
 * out.
 */
export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = []
  collect(value, '', texts)
  return texts
}

function collect(value: unknown, name: string, texts: string[]): void {
  if (typeof value === 'string') {
    if (WRITTEN.has(name) || !isFile(value)) texts.push(value)
  } else if (Array.isArray(value)) for (const item of value) collect(item, name, texts)
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) collect(item, key, texts)
}

function isFile(text: string): boolean {
  return ADDRESS.test(text) || (text.length >= ENCODED_CHARACTERS_MIN && ENCODED.test(text))
}
