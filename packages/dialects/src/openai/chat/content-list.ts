import { isRecord, recordsAt, textAt, type JsonObject } from '../../json.ts'

/**
 * Joins the texts of a delta whose content is a list of parts, as Mistral's reasoning models send it. Source:
 * https://docs.mistral.ai/capabilities/reasoning
 */
export function textsInList({ content }: JsonObject): { readonly text: string; readonly thought: string } {
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  const known = parts.filter(isRecord)
  return {
    text: known
      .filter(({ type }) => type === 'text')
      .map(textIn)
      .join(''),
    thought: known
      .filter(({ type }) => type === 'thinking')
      .map(reasoningIn)
      .join(''),
  }
}

function textIn(part: JsonObject): string {
  return textAt(part, 'text') ?? ''
}

/** The member is a text or a nested list of texts. */
export function reasoningIn(part: JsonObject): string {
  return textAt(part, 'thinking') ?? recordsAt(part, 'thinking').map(textIn).join('')
}
