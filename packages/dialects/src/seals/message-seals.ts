import { readSignature } from '../anthropic/signature.ts'
import { isRecord, listAt, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { editList } from './edit-list.ts'
import type { SealFormat } from './seal-format.ts'

/** Thinking blocks with their signatures, and redacted ones. */
export const messageSeals: SealFormat = {
  visit: (body, visit) => {
    for (const turn of recordsAt(body, 'messages'))
      if (turn['role'] === 'assistant')
        for (const block of recordsAt(turn, 'content')) {
          const seal = readSeal(block)
          if (seal !== undefined) visit(seal)
        }
  },
  remove: (body, isRemoved) => {
    const rest = editList(body, 'messages', (turn) => {
      if (turn['role'] !== 'assistant') return turn
      const edited = editList(turn, 'content', (block) => {
        const seal = readSeal(block)
        return seal !== undefined && isRemoved(seal) ? undefined : block
      })
      // A turn without content is refused.
      return edited !== turn && listAt(edited, 'content').length === 0 ? undefined : edited
    })
    return rest === body ? body : withoutRequiredThinking(rest)
  },
}

/** A block without a signature is known by its text, so that a refusal of it is remembered too. */
function readSeal(block: JsonObject): string | undefined {
  if (block['type'] === 'redacted_thinking') return readSignature(textAt(block, 'data'))?.value
  if (block['type'] !== 'thinking') return undefined
  const signature = readSignature(textAt(block, 'signature'))?.value
  return signature ?? `unsigned:${textAt(block, 'thinking') ?? ''}`
}

/**
 * With a thinking budget, the turn whose calls were answered last must begin with a thinking block. Without one
 * the model answers this call without thinking.
 */
function withoutRequiredThinking(body: JsonObject): JsonObject {
  if (recordAt(body, 'thinking')?.['type'] !== 'enabled' || !lacksThinking(recordsAt(body, 'messages')))
    return body
  const { thinking: _thinking, context_management: management, ...rest } = body
  if (!isRecord(management)) return rest
  const edits = recordsAt(management, 'edits').filter(
    ({ type }) => !String(type).startsWith('clear_thinking'),
  )
  return edits.length === 0 ? rest : { ...rest, context_management: { ...management, edits } }
}

function lacksThinking(turns: readonly JsonObject[]): boolean {
  const last = turns.findLast(({ role }) => role === 'assistant')
  const blocks = last === undefined ? [] : recordsAt(last, 'content')
  const hasCalls = blocks.some(({ type }) => type === 'tool_use')
  return hasCalls && !String(blocks[0]?.['type']).endsWith('thinking')
}
