import { urlOfSource } from './data-url.ts'
import type { Part } from './part.ts'

/**
 * Returns the text of a part. An image becomes Markdown, for dialects whose answers contain no generated
 * images.
 */
export function textWithImages(part: Part): string {
  if (part.type === 'text') return part.text
  if (part.type !== 'image') return ''
  const url = urlOfSource(part.source)
  return url === undefined ? '' : `![image](${url})`
}
