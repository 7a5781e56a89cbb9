import { isRecord } from '@tollgate/dialects/json'

/** What people write in these is searched, whatever it looks like. */
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

/** Random letters contain every short word sooner or later, and addresses contain what their owner called them. */
const ENCODED_CHARACTERS_MIN = 256
const ENCODED = /^[A-Za-z0-9+/_=-]+$/
const ADDRESS = /^(?:data:|https?:\/\/)/i

/** Every text of a JSON value that somebody may have written: no addresses and no files. */
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
