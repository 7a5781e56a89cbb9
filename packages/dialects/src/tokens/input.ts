import { memberNames } from '../canonical/members.ts'
import type { Ask } from '../dialect.ts'
import { isRecord, recordAt, recordsAt, textAt, type JsonObject, listAt } from '../json.ts'
import type { Member } from '../json-scan.ts'
import { isConversation, type CallOperation } from '../conversations.ts'
import { visitMediaInput, visitRerank } from '../media/input.ts'
import { isMedia } from '../media/operation.ts'
import type { InputVisitor } from './input-visitor.ts'
import { countMedia, type MediaCount } from './media.ts'

export function visitInput(operation: CallOperation, ask: Ask, visitor: InputVisitor): void {
  if (isConversation(operation) || operation === 'compact') return visitConversation(ask, visitor)
  if (operation === 'embed') return visitRequests(ask, visitor)
  if (isMedia(operation)) return visitMediaInput(operation, ask, visitor)
  if (operation === 'rerank')
    return visitRerank(ask, visitor, (value) => visitItems(value, { model: ask.model, visitor }))
  if (operation === 'search') return visitValue([ask.body['input'], ask.body['commands']], visitor)
  visitItems(ask.body[operation === 'completions' ? 'prompt' : 'input'], { model: ask.model, visitor })
  if (operation === 'completions') visitValue(ask.body['suffix'], visitor)
}

/** Visits the contents of an `embed` request: a single content, or a list of requests. */
function visitRequests({ body, model }: Ask, visitor: InputVisitor): void {
  const requests = Array.isArray(body['requests']) ? recordsAt(body, 'requests') : [body]
  for (const { title, content } of requests) visitItems([title, content], { model, visitor })
}

const TOKENS_PER_MESSAGE = 3
const TOKENS_PER_NAME = 1
const TOKENS_PER_TOOL = 8
const TOKENS_OF_THE_REPLY = 3
/** Members that reach the model as JSON. All tools are counted, not only the last one. */
const definitions = memberNames('tools functions response_format text generationConfig generation_config')

/** Members for system prompts, in the dialects that have them outside of the turns. */
const texts = ['system', 'instructions', 'systemInstruction', 'system_instruction'] as const

function visitConversation(ask: Ask, visitor: InputVisitor): void {
  const visit = { model: ask.model, visitor }
  for (const name of texts) visitItems(ask.body[name], visit)
  if (typeof ask.body['input'] === 'string') visitor.text(ask.body['input'])
  for (const [name, visitTurn] of turns)
    for (const turn of listAt(ask.body, name))
      if (isRecord(turn)) visitTurn(turn, visit)
      else visitValue(turn, visitor)
  for (const member of ask.members)
    if (definitions.has(member.name)) visitDefinition(ask, member, visitor)
    else if (isLongMember(member)) visitor.json(ask.bytes, member.valueStart, member.valueEnd)
  visitor.tokens(TOKENS_OF_THE_REPLY)
}

/** Members that contain the turns of a conversation, with the function that reads each. */
const turns = [
  ['input', visitMessage],
  ['contents', visitContent],
  ['messages', visitMessage],
] as const

/**
 * Shorter unknown members are taken for settings. Longer ones, such as a prediction or a chat template, may
 * be read by the model and are counted.
 */
const SETTING_BYTES_MAX = 256
/** Long members that are counted elsewhere, or that no model reads. */
const notRead = new Set([
  ...turns.map(([name]) => name),
  ...texts,
  'model',
  'metadata',
  'logit_bias',
  'safetySettings',
  'safety_settings',
  'mcp_servers',
])

function isLongMember({ name, valueStart, valueEnd }: Member): boolean {
  return valueEnd - valueStart > SETTING_BYTES_MAX && !notRead.has(name)
}

function visitDefinition(ask: Ask, member: Member, visitor: InputVisitor): void {
  visitor.json(ask.bytes, member.valueStart, member.valueEnd)
  visitor.tokens(TOKENS_PER_TOOL * recordsAt(ask.body, member.name).length)
}

/** Visits a turn in Gemini's format. */
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
  for (const name of ['name', 'arguments', 'input']) visitValue(body[name], visitor)
}

/** Visits a text, a list of texts, token numbers, lists of those, or message parts. */
function visitItems(value: unknown, visit: Visit): void {
  if (typeof value === 'string') visit.visitor.text(value)
  else if (isRecord(value)) visitPart(value, visit)
  else if (Array.isArray(value)) visitList(value, visit)
}

/** In a list with token numbers, any other items are counted too. */
function visitList(items: readonly unknown[], visit: Visit): void {
  let numbers = 0
  for (const item of items)
    if (typeof item === 'number') numbers++
    else visitItems(item, visit)
  if (numbers > 0) visit.visitor.tokens(numbers)
}

function visitPart(part: JsonObject, visit: Visit): void {
  const { model, visitor } = visit
  const media = countMedia(part, model)
  if (media !== undefined) visitMedium(part, media, visit)
  else if (part['type'] === 'tool_result') {
    visitItems(part['content'], visit)
    visitOthers(part, ofResults, visitor)
  } else if (Array.isArray(part['parts'])) {
    visitItems(part['parts'], visit)
    visitOthers(part, ofTurns, visitor)
  } else if (part['type'] === 'thinking') {
    visitor.text(textAt(part, 'thinking') ?? '')
    visitOthers(part, ofThoughts, visitor)
  } else visitValue(part, visitor)
}

/**
 * A document that contains text is counted by its text. Other members beside a medium may be read by the
 * model too, so they are counted.
 */
function visitMedium(part: JsonObject, media: MediaCount, visit: Visit): void {
  const { visitor } = visit
  const source = recordAt(part, 'source') ?? {}
  const words = source['type'] === 'text' ? source['data'] : source['content']
  if (words === undefined) visitor.media(media)
  else visitItems(words, visit)
  visitOthers(part, ofMedia, visitor)
}

function visitOthers(part: JsonObject, known: ReadonlySet<string>, visitor: InputVisitor): void {
  for (const name of Object.keys(part)) if (!known.has(name)) visitValue(part[name], visitor)
}

/** Members of parts that are counted elsewhere, or that no model reads, such as signatures. */
const ofResults = memberNames('type content tool_use_id id is_error cache_control')
const ofTurns = memberNames('type parts role')
const ofThoughts = memberNames('type thinking signature cache_control')
const ofMedia = memberNames(
  `type id detail cache_control citations image_url input_audio audio_url video_url video image audio file
   file_url file_id file_data filename source data media_type mimeType inlineData inline_data fileData
   videoMetadata video_metadata mediaResolution media_resolution thoughtSignature thought_signature fps`,
)

/**
 * Counts any other value, so that nothing a model might read is free: texts, numbers, and member names inside
 * objects.
 */
function visitValue(value: unknown, visitor: InputVisitor, isInside = false): void {
  if (typeof value === 'string') visitor.text(value)
  else if (typeof value === 'number') visitor.tokens(tokensOfNumber(value))
  else if (Array.isArray(value)) for (const item of value) visitValue(item, visitor, true)
  else if (isRecord(value))
    for (const [name, item] of Object.entries(value)) {
      if (isInside || name.length > NAME_CHARACTERS_MAX) visitor.text(name)
      visitValue(item, visitor, true)
    }
}

/** No dialect has member names longer than this, so a longer name is the caller's text and is counted. */
const NAME_CHARACTERS_MAX = 32

function tokensOfNumber(value: number): number {
  if (!Number.isInteger(value)) return 8
  return Math.abs(value) < 1000 ? 2 : 6
}
