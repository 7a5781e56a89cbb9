import type { Ask } from '../dialect.ts'
import { isRecord, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import type { Member } from '../json-scan.ts'
import { isConversation, type CallOperation } from '../conversations.ts'
import { visitMediaInput, visitRerank } from '../media/input.ts'
import { isMedia } from '../media/operation.ts'
import type { InputVisitor } from './input-visitor.ts'
import { countMedia } from './media.ts'

export function visitInput(operation: CallOperation, ask: Ask, visitor: InputVisitor): void {
  if (isConversation(operation) || operation === 'compact') return visitConversation(ask, visitor)
  if (operation === 'embed') return visitRequests(ask, visitor)
  if (isMedia(operation)) return visitMediaInput(operation, ask, visitor)
  if (operation === 'rerank') return visitRerank(ask, visitor, (value) => visitValue(value, visitor))
  if (operation === 'search') return visitValue([ask.body['input'], ask.body['commands']], visitor)
  visitItems(ask.body[operation === 'completions' ? 'prompt' : 'input'], { model: ask.model, visitor })
  if (operation === 'completions') visitValue(ask.body['suffix'], visitor)
}

/** One content, or a list of them. */
function visitRequests({ body, model }: Ask, visitor: InputVisitor): void {
  const requests = Array.isArray(body['requests']) ? recordsAt(body, 'requests') : [body]
  for (const { title, content } of requests) visitItems([title, content], { model, visitor })
}

const TOKENS_PER_MESSAGE = 3
const TOKENS_PER_NAME = 1
const TOKENS_PER_TOOL = 8
const TOKENS_OF_THE_REPLY = 3
/** Members that reach the model as JSON. All tools count, not only the last. */
const definitions = new Set([
  'tools',
  'functions',
  'response_format',
  'text',
  'generationConfig',
  'generation_config',
])

/** What is said to the model outside of the turns, in the dialects that have it apart. */
const texts = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const

function visitConversation(ask: Ask, visitor: InputVisitor): void {
  const visit = { model: ask.model, visitor }
  for (const name of texts) visitItems(ask.body[name], visit)
  if (typeof ask.body['input'] === 'string') visitor.text(ask.body['input'])
  for (const item of recordsAt(ask.body, 'input')) visitMessage(item, visit)
  for (const content of recordsAt(ask.body, 'contents')) visitContent(content, visit)
  for (const message of recordsAt(ask.body, 'messages')) visitMessage(message, { model: ask.model, visitor })
  for (const member of ask.members) if (definitions.has(member.name)) visitDefinition(ask, member, visitor)
  visitor.tokens(TOKENS_OF_THE_REPLY)
}

function visitDefinition(ask: Ask, member: Member, visitor: InputVisitor): void {
  visitor.json(ask.bytes, member.valueStart, member.valueEnd)
  visitor.tokens(TOKENS_PER_TOOL * recordsAt(ask.body, member.name).length)
}

/** A turn as Gemini has it. */
function visitContent(content: JsonObject, visit: Visit): void {
  visit.visitor.tokens(TOKENS_PER_MESSAGE)
  visitItems(content['parts'], visit)
}

interface Visit {
  readonly model: string
  readonly visitor: InputVisitor
}

function visitMessage(message: JsonObject, visit: Visit): void {
  const { visitor } = visit
  visitor.tokens(TOKENS_PER_MESSAGE)
  for (const name of Object.keys(message)) {
    const value = message[name]
    if (name === 'name') visitor.tokens(TOKENS_PER_NAME)
    if (name === 'content' || name === 'output') visitItems(value, visit)
    else if (name === 'tool_calls') recordsAt(message, name).forEach((call) => visitToolCall(call, visitor))
    else visitValue(value, visitor)
  }
}

function visitToolCall(call: JsonObject, visitor: InputVisitor): void {
  visitor.tokens(TOKENS_PER_TOOL)
  const body = recordAt(call, 'function') ?? recordAt(call, 'custom') ?? {}
  for (const name of ['name', 'arguments', 'input']) visitor.text(textAt(body, name) ?? '')
}

/** A text, a list of texts, token numbers, lists of those, or message parts. */
function visitItems(value: unknown, visit: Visit): void {
  if (typeof value === 'string') visit.visitor.text(value)
  else if (isRecord(value)) visitPart(value, visit)
  else if (Array.isArray(value) && typeof value[0] === 'number') visit.visitor.tokens(value.length)
  else if (Array.isArray(value)) for (const item of value) visitItems(item, visit)
}

function visitPart(part: JsonObject, { model, visitor }: Visit): void {
  const media = countMedia(part, model)
  if (media !== undefined) visitor.media(media)
  else if (part['type'] === 'tool_result') visitItems(part['content'], { model, visitor })
  else if (Array.isArray(part['parts'])) visitItems(part['parts'], { model, visitor })
  // Signatures are not read.
  else if (part['type'] === 'thinking') visitor.text(textAt(part, 'thinking') ?? '')
  else visitValue(part, visitor)
}

/** Whatever else there is, text by text, so that nothing a model reads is free. */
function visitValue(value: unknown, visitor: InputVisitor): void {
  if (typeof value === 'string') visitor.text(value)
  else if (Array.isArray(value)) for (const item of value) visitValue(item, visitor)
  else if (isRecord(value)) for (const item of Object.values(value)) visitValue(item, visitor)
}
