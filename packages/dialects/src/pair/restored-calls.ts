import { Problem } from '@tollgate/problems/problem'
import type { ReplyEvent } from '../canonical/event.ts'
import { readFreeText, FreeTextReader } from '../canonical/free-text.ts'
import type { Part, ToolCallPart } from '../canonical/part.ts'
import type { OriginalTool, OriginalTools } from '../canonical/portable-tools.ts'
import { renameArguments, type PropertyNames } from '../canonical/property-names.ts'
import type { Reply } from '../canonical/reply.ts'

/** Restores the names and the form of tool calls that the caller's own tool definitions have. */
export function restoredReply(reply: Reply, originals: OriginalTools): Reply {
  const choices = reply.choices.map((choice) => ({
    ...choice,
    parts: choice.parts.map((part) => restoredPart(part, originals)),
  }))
  return { ...reply, choices }
}

function restoredPart(part: Part, originals: OriginalTools): Part {
  const original = part.type === 'tool-call' ? originals.get(part.name) : undefined
  if (part.type !== 'tool-call' || original === undefined) return part
  const restored = restoredCall(part, original)
  if (original.propertyNames !== undefined)
    return { ...restored, arguments: restoreArguments(part.arguments, original.propertyNames) }
  return isFreeText(part, original) ? { ...restored, arguments: readFreeText(part.arguments) } : restored
}

function restoredCall(
  call: ToolCallPart,
  { name, namespace, kind, isToolSearch }: OriginalTool,
): ToolCallPart {
  return {
    ...call,
    name,
    kind,
    ...(namespace !== undefined && { namespace }),
    ...(isToolSearch === true && { isToolSearch }),
  }
}

/** Whether the upstream was given a function in place of a tool with free text. */
function isFreeText(call: ToolCallPart, { kind }: OriginalTool): boolean {
  return kind === 'custom' && call.kind === 'function'
}

/** An answer is delivered in any case: arguments beyond the limits of a body keep the names of the upstream. */
function restoreArguments(written: string, names: PropertyNames): string {
  try {
    return renameArguments(written, names)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return written
  }
}

interface ArgumentsReader {
  push(text: string): string
  end(): string
}

/** Names may be cut anywhere in a stream, so the arguments are kept until they are complete. */
class RenamedArguments implements ArgumentsReader {
  readonly #names: PropertyNames
  #written = ''

  constructor(names: PropertyNames) {
    this.#names = names
  }

  push(text: string): string {
    this.#written += text
    return ''
  }

  end(): string {
    return restoreArguments(this.#written, this.#names)
  }
}

/** Streaming version of {@link restoredReply}. */
export class RestoredCalls {
  readonly #originals: OriginalTools
  /** Open calls whose arguments are rewritten, by choice; only one part of a choice is open at a time. */
  readonly #texts = new Map<number, ArgumentsReader>()

  constructor(originals: OriginalTools) {
    this.#originals = originals
  }

  push(event: ReplyEvent): readonly ReplyEvent[] {
    if (event.type === 'part-start' && event.opening.type === 'tool-call')
      return [this.#open(event, event.opening)]
    const text = 'choice' in event ? this.#texts.get(event.choice) : undefined
    if (text === undefined) return [event]
    if (event.type === 'arguments-delta') return said(event, text.push(event.text))
    if (event.type !== 'part-end') return [event]
    this.#texts.delete(event.choice)
    return [...said(event, text.end()), event]
  }

  #open(event: Extract<ReplyEvent, { type: 'part-start' }>, call: ToolCallPart): ReplyEvent {
    const original = this.#originals.get(call.name)
    if (original === undefined) return event
    if (isFreeText(call, original)) this.#texts.set(event.choice, new FreeTextReader())
    else if (original.propertyNames !== undefined)
      this.#texts.set(event.choice, new RenamedArguments(original.propertyNames))
    return { ...event, opening: restoredCall(call, original) }
  }
}

function said({ choice, part }: Extract<ReplyEvent, { part: number }>, text: string): readonly ReplyEvent[] {
  return text === '' ? [] : [{ type: 'arguments-delta', choice, part, text }]
}
