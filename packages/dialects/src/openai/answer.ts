import type { Finish, Reading, UpstreamError, UsageReader } from '../dialect.ts'
import { readPaidAnswer } from '../paid-answer.ts'
import type { Usage } from '../usage.ts'
import { parseObject, recordsAt, textAt, type JsonObject } from '../json.ts'
import { bodyWithoutVendorCost } from '../cost/vendor-cost.ts'
import { DeltaScan } from '../stream/delta-scan.ts'
import { readFinish } from './finish.ts'
import { forceFormat } from './force-format.ts'
import type { OpenAiOperation } from './operation.ts'
import { encodeEmbeddings } from './packed-vectors.ts'
import { thinkingIntoAnswer } from './thinking.ts'
import { badBody, errorInside, errorOf, type ErrorInside } from '../errors/upstream-error.ts'

export interface AnswerInput {
  readonly operation: OpenAiOperation
  readonly bytes: Buffer
  readonly readUsage: UsageReader
  readonly errorInside?: ErrorInside
  /** Adjusts the response; returns the same object if there is nothing to change. */
  readonly adjustAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>
  /** Whether the caller wants embeddings as base64 text. */
  readonly packsVectors?: boolean
  readonly thinkingToContent?: boolean
  readonly forceFormat?: boolean
}

export interface ChatAnswer {
  /**
   * Bytes for the caller, most often the same buffer that came in. They must not be sent if `reading.error`
   * is set.
   */
  readonly bytes: Buffer
  /** `error` is set for an error inside a 200 response, for HTML, for invalid JSON and for an empty body. */
  readonly reading: Reading
  /** Media type of the bytes; JSON when absent. */
  readonly type?: string
}

/**
 * Reads a whole response with a 2xx status. Never throws. A response that contains only tool calls, audio,
 * embeddings or moderation results counts as output too.
 */
export function readAnswer(input: AnswerInput): ChatAnswer {
  const { bytes, operation } = input
  if (isBlank(bytes)) return failed(bytes, badBody('empty_response'))
  const parsed = parseObject(bytes)
  if (parsed === undefined) return failed(bytes, badBody('bad_response_body'))
  const error = errorOf(parsed, input.errorInside)
  if (error !== undefined) return failed(bytes, error)
  const adjusted = input.adjustAnswer === undefined ? parsed : input.adjustAnswer(parsed)
  const reported = adjusted === parsed ? undefined : errorInside(adjusted)
  if (reported !== undefined) return failed(bytes, reported)
  const answer = input.packsVectors === true ? encodeEmbeddings(adjusted) : adjusted
  if (!isKnownShape(answer, operation)) return failed(bytes, badBody('bad_response_body'))
  const written = rewritten(parsed, answer, input) ?? bytes
  const output = bodyWithoutVendorCost(written, answer)
  return { bytes: output, reading: new WholeReading({ answer, bytes: output, input }) }
}

interface Read {
  readonly answer: JsonObject
  readonly bytes: Buffer
  readonly input: AnswerInput
}

/**
 * Reading of a whole response. The local token count needs a scan of every byte and is not needed if usage
 * was reported, so it is made lazily.
 */
class WholeReading implements Reading {
  readonly replyId: string | undefined
  readonly model: string | undefined
  readonly usage: Usage | undefined
  readonly finish: Finish | undefined
  readonly paidUses: Usage['toolCalls']
  readonly isComplete = true
  readonly error = undefined
  readonly #read: Read
  #scan: DeltaScan | undefined

  constructor(read: Read) {
    this.#read = read
    this.replyId = textAt(read.answer, 'id')
    this.model = textAt(read.answer, 'model')
    this.usage = read.input.readUsage(read.answer)
    this.paidUses = this.usage === undefined ? readPaidAnswer(read.answer) : undefined
    this.finish = firstFinish(read.answer)
  }

  get hasOutput(): boolean {
    const { answer, input } = this.#read
    const isThere = hasItems(answer[shapes[input.operation]]) || input.operation === 'search'
    return isThere && (!isText(input.operation) || this.#scanned.hasOutput)
  }

  get outputTokensCounted(): number {
    return isCounted(this.#read.input.operation) ? this.#scanned.outputTokens : 0
  }

  get #scanned(): DeltaScan {
    if (this.#scan !== undefined) return this.#scan
    this.#scan = new DeltaScan()
    this.#scan.scanOnce(this.#read.bytes)
    return this.#scan
  }
}

/** The member by which a response of each operation is recognised. */
const shapes: Readonly<Record<OpenAiOperation, string>> = {
  chat: 'choices',
  completions: 'choices',
  embeddings: 'data',
  moderations: 'results',
  compact: 'output',
  rerank: 'results',
  search: 'output',
}

/** A text response without a choice is not valid, whatever else it contains. */
function isKnownShape(answer: JsonObject, operation: OpenAiOperation): boolean {
  const items = answer[shapes[operation]]
  if (operation === 'search') return typeof items === 'string'
  return Array.isArray(items) && (items.length > 0 || !isText(operation))
}

function isText(operation: OpenAiOperation): boolean {
  return operation === 'chat' || operation === 'completions'
}

/**
 * Operations whose output is counted locally: texts, and compacted conversations, even though those may be
 * encrypted.
 */
function isCounted(operation: OpenAiOperation): boolean {
  return isText(operation) || operation === 'compact'
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

/** Returns `undefined` if the bytes can be passed through unchanged, as for most channels. */
function rewritten(parsed: JsonObject, answer: JsonObject, input: AnswerInput): Buffer | undefined {
  const { thinkingToContent = false, forceFormat: isForced = false, operation } = input
  const isChat = isText(operation)
  let changed = answer
  if (isChat && thinkingToContent) changed = thinkingIntoAnswer(changed)
  if (isChat && isForced) changed = forceFormat(changed, 'answer')
  return changed === parsed ? undefined : Buffer.from(JSON.stringify(changed))
}

function firstFinish(answer: JsonObject): Finish | undefined {
  for (const choice of recordsAt(answer, 'choices')) {
    const finish = readFinish(choice['finish_reason'])
    if (finish !== undefined) return finish
  }
  return undefined
}

/** The answer for a body that is no valid response. */
export function failed(bytes: Buffer, error: UpstreamError): ChatAnswer {
  const reading = {
    usage: undefined,
    finish: undefined,
    outputTokensCounted: 0,
    hasOutput: false,
    isComplete: false,
    error,
  }
  return { bytes, reading }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length < 64 && bytes.toString('latin1').trim() === ''
}
