import { isRecord, recordsAt, textAt, type JsonObject } from '../../json.ts'

/**
 * What a delta says as a list of parts instead of a text, as Mistral's thinking models send it, joined. Source:
 * https://docs.mistral.ai/capabilities/reasoning
 */
export function saidInList({ content }: JsonObject): { readonly text: string; readonly thought: string } {
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const known = parts.filter(isRecord)
  return {
    text: known
      .filter(({ type }) => type === 'text')
      .map(textIn)
      .join(''),
    thought: known
      .filter(({ type }) => type === 'thinking')
      .map(thoughtIn)
      .join(''),
  }
}

function textIn(part: JsonObject): string {
  return textAt(part, 'text') ?? ''
}

/** A text, or once more a list of texts. */
export function thoughtIn(part: JsonObject): string {
  return textAt(part, 'thinking') ?? recordsAt(part, 'thinking').map(textIn).join('')
}
