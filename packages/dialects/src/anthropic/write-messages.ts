import { type Message, isSystem } from '../canonical/conversation.ts'
import type { Part } from '../canonical/part.ts'
import type { JsonObject } from '../json.ts'
import { writeBlocks, writeCache } from './write-blocks.ts'

/** Writes the separate `system` member from all system messages, in their original order. */
export function writeSystem(messages: readonly Message[], instruction: string | undefined): unknown {
  const blocks = messages.filter(isSystem).flatMap(blocksOf)
  if (instruction !== undefined) blocks.push({ type: 'text', text: instruction })
  if (blocks.length === 0) return undefined
  const [only, second] = blocks
  return second === undefined && only?.['cache_control'] === undefined ? only?.['text'] : blocks
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

/** Placeholder text for a turn that Anthropic requires and that the conversation does not have. */
const FILLER = { type: 'text', text: '...' }

/**
 * Merges consecutive turns of one role and moves tool results to the front, as Anthropic requires; the first
 * turn is always a user turn. Empty turns are left out.
 */
export function writeTurns(messages: readonly Message[]): readonly JsonObject[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (isSystem(message)) continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message)
    const last = turns.at(-1)
    if (content.length === 0) continue
    if (last?.role === role) for (const block of content) last.content.push(block)
    else turns.push({ role, content })
  }
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: [FILLER] })
  return turns.map((turn, at) => written(turn, at === turns.length - 1))
}

function blocksOf({ parts, cache, name }: Message): JsonObject[] {
  const blocks = parts.flatMap((part) => writeBlocks(named(part, name)))
  const last = blocks.at(-1)
  if (cache === undefined || last === undefined) return blocks
  return [...blocks.slice(0, -1), { ...last, cache_control: writeCache(cache.ttl) }]
}

/** Anthropic's format has no speaker names, so the name is prefixed to the text. */
function named(part: Part, name: string | undefined): Part {
  return name !== undefined && part.type === 'text' ? { ...part, text: `${name}: ${part.text}` } : part
}

function written({ role, content }: Turn, isLast: boolean): JsonObject {
  const results = content.filter(isResult)
  const rest = content.filter((block) => !isResult(block))
  const blocks = [...results, ...(role === 'assistant' && isLast ? withoutTrailingSpace(rest) : rest)]
  const [only, second] = blocks
  const isPlain = second === undefined && only?.['type'] === 'text' && only['cache_control'] === undefined
  return { role, content: isPlain ? only['text'] : blocks }
}

function isResult(block: JsonObject): boolean {
  return block['type'] === 'tool_result'
}

/** Anthropic rejects an assistant prefill that ends with a space. */
function withoutTrailingSpace(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1)
  const text = last?.['text']
  if (last?.['type'] !== 'text' || typeof text !== 'string') return blocks
  return [...blocks.slice(0, -1), { ...last, text: text.trimEnd() }]
}
