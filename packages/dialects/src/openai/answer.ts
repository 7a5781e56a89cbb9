import type { Finish, Reading, UpstreamError, UsageReader } from '../dialect.ts'
import type { Usage } from '../usage.ts'
import { parseObject, recordsAt, type JsonObject } from '../json.ts'
import { DeltaScan } from './delta-scan.ts'
import { readFinish } from './finish.ts'
import { forceFormat } from './force-format.ts'
import type { OpenAiOperation } from './operation.ts'
import { packVectors } from './packed-vectors.ts'
import { thinkingIntoAnswer } from './thinking.ts'
import { badBody, errorInside, insideError } from './upstream-error.ts'

export interface AnswerInput {
  readonly operation: OpenAiOperation
  readonly bytes: Buffer
  readonly readUsage: UsageReader
  /** A 200 answer that is really an error: its text. */
  readonly errorInside?: (answer: Readonly<Record<string, unknown>>) => string | undefined
  /** Answers the very object when there is nothing to change. */
  readonly adjustAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>
  /** The caller wants vectors as text. */
  readonly packsVectors?: boolean
  readonly thinkingToContent?: boolean
  readonly forceFormat?: boolean
}

export interface Answer {
  /** What goes to the caller, most often the very buffer that came in. Not to be sent when `reading.error` is set. */
  readonly bytes: Buffer
  /** `error` is set for an error inside a 200, for HTML, garbage and nothing. */
  readonly reading: Reading
  /** Media type of the bytes; JSON when absent. */
  readonly type?: string
}

/**
 * Reads a whole answer that came with a 2xx status. Never throws. An answer that is only tool calls, audio, vectors or
 * verdicts has output like any other.
 */
export function readAnswer(input: AnswerInput): Answer {
  const { bytes, operation } = input
  if (isBlank(bytes)) return failed(bytes, badBody('empty_response'))
  const parsed = parseObject(bytes)
  if (parsed === undefined) return failed(bytes, badBody('bad_response_body'))
  const error = errorIn(parsed, input)
  if (error !== undefined) return failed(bytes, error)
  const adjusted = input.adjustAnswer === undefined ? parsed : input.adjustAnswer(parsed)
  const told = adjusted === parsed ? undefined : errorInside(adjusted)
  if (told !== undefined) return failed(bytes, told)
  const answer = input.packsVectors === true ? packVectors(adjusted) : adjusted
  if (!isKnownShape(answer, operation)) return failed(bytes, badBody('bad_response_body'))
  const output = rewritten(parsed, answer, input) ?? bytes
  return { bytes: output, reading: new WholeReading({ answer, bytes: output, input }) }
}

interface Read {
  readonly answer: JsonObject
  readonly bytes: Buffer
  readonly input: AnswerInput
}

/** Our own count walks over every byte, and an answer that tells its usage needs none: it is made when it is asked for. */
class WholeReading implements Reading {
  readonly usage: Usage | undefined
  readonly finish: Finish | undefined
  readonly isComplete = true
  readonly error = undefined
  readonly #read: Read
  #scan: DeltaScan | undefined

  constructor(read: Read) {
    this.#read = read
    this.usage = read.input.readUsage(read.answer)
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
    this.#scan.scan(this.#read.bytes, 0, this.#read.bytes.length)
    return this.#scan
  }
}

/** The member that makes an object an answer to the operation. */
const shapes: Readonly<Record<OpenAiOperation, string>> = {
  chat: 'choices',
  completions: 'choices',
  embeddings: 'data',
  moderations: 'results',
  compact: 'output',
  rerank: 'results',
  search: 'output',
}

/** A text without a single choice is no answer, whatever else it says. */
function isKnownShape(answer: JsonObject, operation: OpenAiOperation): boolean {
  const items = answer[shapes[operation]]
  if (operation === 'search') return typeof items === 'string'
  return Array.isArray(items) && (items.length > 0 || !isText(operation))
}

function isText(operation: OpenAiOperation): boolean {
  return operation === 'chat' || operation === 'completions'
}

/** What was written is counted; a conversation made shorter may be sealed, and is one all the same. */
function isCounted(operation: OpenAiOperation): boolean {
  return isText(operation) || operation === 'compact'
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

function errorIn(answer: JsonObject, input: AnswerInput): UpstreamError | undefined {
  const words = input.errorInside?.(answer)
  return words === undefined ? errorInside(answer) : insideError(words)
}

/** `undefined` when the bytes may pass as they are, as they do for most channels. */
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

function failed(bytes: Buffer, error: UpstreamError): Answer {
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
