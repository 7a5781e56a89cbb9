import type { Finish, Reading, UpstreamError, UsageReader } from '../dialect.ts'
import { parseObject, recordsAt, type JsonObject } from '../json.ts'
import { DeltaScan } from './delta-scan.ts'
import { readFinish } from './finish.ts'
import { forceFormat } from './force-format.ts'
import type { OpenAiOperation } from './operation.ts'
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
  readonly thinkingToContent?: boolean
  readonly forceFormat?: boolean
}

export interface Answer {
  /** What goes to the caller, most often the very buffer that came in. Not to be sent when `reading.error` is set. */
  readonly bytes: Buffer
  /** `error` is set for an error inside a 200, for HTML, garbage and nothing. */
  readonly reading: Reading
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
  const answer = input.adjustAnswer === undefined ? parsed : input.adjustAnswer(parsed)
  if (!isKnownShape(answer, operation)) return failed(bytes, badBody('bad_response_body'))
  const output = rewritten(parsed, answer, input) ?? bytes
  const scan = new DeltaScan()
  const reading: Reading = {
    usage: input.readUsage(answer),
    finish: firstFinish(answer),
    hasOutput: outputs[operation](answer, { bytes: output, scan }),
    outputTokensCounted: scan.outputTokens,
    isComplete: true,
    error: undefined,
  }
  return { bytes: output, reading }
}

/** The member that makes an object an answer to the operation. */
const shapes: Readonly<Record<OpenAiOperation, string>> = {
  chat: 'choices',
  completions: 'choices',
  embeddings: 'data',
  moderations: 'results',
}

function isKnownShape(answer: JsonObject, operation: OpenAiOperation): boolean {
  return Array.isArray(answer[shapes[operation]])
}

interface Source {
  readonly bytes: Buffer
  readonly scan: DeltaScan
}

const outputs: Readonly<Record<OpenAiOperation, (answer: JsonObject, source: Source) => boolean>> = {
  chat: hasText,
  completions: hasText,
  embeddings: (answer) => hasItems(answer['data']),
  moderations: (answer) => hasItems(answer['results']),
}

function hasText(answer: JsonObject, { bytes, scan }: Source): boolean {
  scan.scan(bytes, 0, bytes.length)
  return hasItems(answer['choices']) && scan.hasOutput
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
  const isChat = operation === 'chat' || operation === 'completions'
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
