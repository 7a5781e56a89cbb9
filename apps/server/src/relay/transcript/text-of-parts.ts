import type { Part } from '@tollgate/dialects/canonical/part'
import { describeSearch } from '@tollgate/dialects/canonical/searches'

/** What a person would read of a message. Media are named but not included; reasoning is left out. */
export function textOfParts(parts: readonly Part[]): string {
  return parts
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n')
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text
    case 'image':
    case 'video':
      return `[${part.type}]`
    case 'audio':
      return part.transcript === undefined ? '[audio]' : `[audio] ${part.transcript}`
    case 'file':
      return part.name === undefined ? '[file]' : `[file ${part.name}]`
    case 'tool-call':
      return `[tool call ${part.name}] ${part.arguments}`
    case 'tool-result':
      return `[tool result] ${textOfParts(part.parts)}`
    case 'search':
      return `[${describeSearch(part)}]`
    case 'reasoning':
    case 'redacted-reasoning':
    case 'opaque':
  }
  return ''
}
