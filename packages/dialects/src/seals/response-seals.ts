import { unpackForeignValue } from '../canonical/packed.ts'
import { recordsAt, textAt, type JsonObject } from '../json.ts'
import { editList } from './edit-list.ts'
import type { SealFormat } from './seal-format.ts'

/**
 * Reasoning items with encrypted content. A compacted history is encrypted too, but is content: without it the
 * model would answer another question, so it stays.
 */
export const responseSeals: SealFormat = {
  visit: (body, visit) => {
    for (const item of recordsAt(body, 'input')) {
      const seal = readSeal(item)
      if (seal !== undefined) visit(seal)
    }
  },
  remove: (body, isRemoved) => {
    const rest = editList(body, 'input', (item) => {
      const seal = readSeal(item)
      return seal !== undefined && isRemoved(seal) ? undefined : item
    })
    // A stored item is refused when the reasoning before it is missing, so items are no longer named by their ids.
    return rest === body ? body : editList(rest, 'input', withoutId)
  },
}

function readSeal(item: JsonObject): string | undefined {
  if (item['type'] !== 'reasoning') return undefined
  return unpackForeignValue(textAt(item, 'encrypted_content'), 'responses')?.value
}

const OF_MODEL = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'message'])

function withoutId(item: JsonObject): JsonObject {
  if (!OF_MODEL.has(String(item['type'])) || !Object.hasOwn(item, 'id')) return item
  const { id: _id, ...rest } = item
  return rest
}
