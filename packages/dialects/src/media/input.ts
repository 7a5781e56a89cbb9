import type { Ask } from '../dialect.ts'
import { textAt, type JsonObject } from '../json.ts'
import type { MediaCount } from '../tokens/media.ts'
import type { InputVisitor } from '../tokens/input-visitor.ts'
import { audioLength } from './audio-length.ts'
import { isImageOperation, type MediaOperation } from './operation.ts'

/** Visits the input of a media request: texts, and the files beside them. */
export function visitMediaInput(operation: MediaOperation, ask: Ask, visitor: InputVisitor): void {
  if (operation === 'speech') return visitSpeech(ask, visitor)
  visitText(ask.body, 'prompt', visitor)
  const isImage = isImageOperation(operation)
  const count = isImage ? () => PICTURE : countRecording
  for (const { fileName, content } of ask.form?.parts ?? [])
    if (fileName !== undefined) visitor.media(count(content))
  if (!isImage) return
  for (const name of PICTURE_MEMBERS) visitPictures(ask.body[name], visitor)
}

/** Members that hold images as URLs or as data, instead of attached files. */
const PICTURE_MEMBERS = ['image', 'image[]', 'images', 'mask'] as const

function visitPictures(value: unknown, visitor: InputVisitor): void {
  if (Array.isArray(value)) for (const each of value) visitPictures(each, visitor)
  else if ((value ?? '') !== '') visitor.media(PICTURE)
}

/** Whether the vendor charges the model by characters instead of tokens. */
export function isChargedByCharacter(model: string): boolean {
  return /^(?:tts|speech-)/.test(model)
}

function visitSpeech({ model, body }: Ask, visitor: InputVisitor): void {
  if (isChargedByCharacter(model)) {
    const characters = charactersOf(textAt(body, 'input') ?? '')
    // Some vendors count a Chinese character as two, and report this only in the response.
    visitor.media({ likely: 0, max: characters })
    return visitor.tokens(characters)
  }
  visitText(body, 'input', visitor)
  visitText(body, 'instructions', visitor)
}

function visitText(body: JsonObject, name: string, { text }: InputVisitor): void {
  const value = textAt(body, name)
  if (value !== undefined) text(value)
}

/** Input size of a request that is charged by characters. */
export function characterTokens({ body }: Ask): number {
  return charactersOf(textAt(body, 'input') ?? '')
}

function charactersOf(text: string): number {
  let characters = 0
  for (const _character of text) characters++
  return characters
}

/** By OpenAI's rule an image costs 65 to 323 tokens, and about 6,240 more with high input fidelity. */
const PICTURE: MediaCount = { likely: 323, max: 6_700 }

const TOKENS_PER_MINUTE = 1000
/** Lowest bytes per second of any real recording. */
export const THINNEST = 1_500

/** A minute of audio counts as 1,000 tokens; partial seconds are rounded up. */
export function tokensOfSeconds(seconds: number): number {
  return Math.round((Math.ceil(seconds) * TOKENS_PER_MINUTE) / 60)
}

/** Audio of unknown length counts by its size, one token per KiB. */
export function tokensOfSize(bytes: number): number {
  return Math.ceil(bytes / 1024)
}

/** A length from a header may be false, so the upper bound follows from the size of the file. */
function countRecording(content: Buffer): MediaCount {
  const length = audioLength(content)
  const longest = tokensOfSeconds(content.length / THINNEST)
  if (length === undefined) return { likely: tokensOfSize(content.length), max: longest }
  const likely = tokensOfSeconds(length.seconds)
  return { likely, max: length.isMeasured ? likely : Math.max(likely, longest) }
}

/** Visits query and documents. An upstream may count the query again with every document. */
export function visitRerank({ body }: Ask, visitor: InputVisitor, visit: (value: unknown) => void): void {
  visit(body['query'])
  const documents = documentsOf(body)
  for (const document of documents) visit(document)
  const query = body['query']
  const letters = typeof query === 'string' ? query.length : JSON.stringify(query ?? '').length
  visitor.media({ likely: 0, max: letters * Math.max(0, documents.length - 1) })
}

function documentsOf(body: JsonObject): readonly unknown[] {
  return Array.isArray(body['documents']) ? body['documents'] : []
}
