import type { UpstreamError } from '../dialect.ts'
import type { DialectName } from './raw.ts'
import { refusalIn, type Refusal, type TooLong } from './refusal.ts'

/**
 * Rewrites certain upstream errors as the caller's own vendor would report them, so that clients recognise
 * them: clients compact a conversation that is too long, and wait while a vendor is overloaded. Returns
 * `undefined` for an error that stays as it is: any other error, and one that is in the caller's format
 * already.
 */
export function translateError(dialect: DialectName, error: UpstreamError): UpstreamError | undefined {
  const refusal = refusalIn(error)
  if (refusal === undefined || isOwnForm[dialect](error, refusal)) return undefined
  return written(dialect, refusal, error.message)
}

/**
 * Like {@link inWordsOf}, but with none of the upstream's text, for operators who hide upstream messages;
 * `undefined` for other errors.
 */
export function genericError(dialect: DialectName, error: UpstreamError): UpstreamError | undefined {
  const refusal = refusalIn(error)
  return refusal === undefined ? undefined : written(dialect, refusal, OVERLOADED[dialect])
}

type FormCheck = (error: UpstreamError, refusal: Refusal) => boolean

const openAiForm: FormCheck = ({ code, status }, { type }) =>
  type === 'too-long' ? code === 'context_length_exceeded' && status === 400 : status === 503

const isOwnForm: Readonly<Record<DialectName, FormCheck>> = {
  openai: openAiForm,
  responses: openAiForm,
  anthropic: ({ message, status, type }, refusal) =>
    refusal.type === 'too-long'
      ? status === 400 && /prompt is too long|exceed context limit/i.test(message)
      : status === 529 && type === 'overloaded_error',
  gemini: ({ message, status }, refusal) =>
    refusal.type === 'too-long' ? status === 400 && /input token count/i.test(message) : status === 503,
}

function written(dialect: DialectName, refusal: Refusal, overloaded: string): UpstreamError {
  return refusal.type === 'too-long'
    ? { ...TOO_LONG[dialect], message: tooLongWords[dialect](refusal), raw: undefined }
    : { ...overload[dialect], message: overloaded, raw: undefined }
}

type Form = Omit<UpstreamError, 'message' | 'raw'>

/** https://platform.openai.com/docs/guides/error-codes https://docs.anthropic.com/en/api/errors https://ai.google.dev/gemini-api/docs/troubleshooting */
const TOO_LONG: Readonly<Record<DialectName, Form>> = {
  openai: invalid('context_length_exceeded', 'messages'),
  responses: invalid('context_length_exceeded', 'input'),
  anthropic: invalid('invalid_request_error', null),
  gemini: invalid('invalid_argument', null),
}

function invalid(code: string, param: string | null): Form {
  return { status: 400, type: 'invalid_request_error', code, param }
}

const UNKNOWN_LENGTH =
  'Your input exceeds the context window of this model. Please adjust your input and try again.'

const tooLongWords: Readonly<Record<DialectName, (refusal: TooLong) => string>> = {
  openai: ({ tokens }) =>
    tokens === undefined
      ? UNKNOWN_LENGTH
      : `This model's maximum context length is ${tokens.maximum} tokens. However, your messages resulted in ` +
        `${tokens.input} tokens. Please reduce the length of the messages.`,
  responses: () => UNKNOWN_LENGTH,
  anthropic: ({ tokens }) =>
    tokens === undefined
      ? 'prompt is too long: it exceeds the context window of this model'
      : `prompt is too long: ${tokens.input} tokens > ${tokens.maximum} maximum`,
  gemini: ({ tokens }) =>
    tokens === undefined
      ? 'The input token count exceeds the maximum number of tokens allowed.'
      : `The input token count (${tokens.input}) exceeds the maximum number of tokens allowed (${tokens.maximum}).`,
}

const overload: Readonly<Record<DialectName, Form>> = {
  openai: overloadedOf(503, 'service_unavailable_error'),
  responses: overloadedOf(503, 'service_unavailable_error'),
  anthropic: overloadedOf(529, 'overloaded_error'),
  gemini: overloadedOf(503, 'overloaded_error'),
}

/** Codex ends its turn on the code `server_is_overloaded`, and retries on any other code. */
function overloadedOf(status: number, type: string): Form {
  return { status, type, code: 'service_unavailable', param: null }
}

const OVERLOADED: Readonly<Record<DialectName, string>> = {
  openai: 'The engine is currently overloaded, please try again later',
  responses: 'The engine is currently overloaded, please try again later',
  anthropic: 'Overloaded',
  gemini: 'The model is overloaded. Please try again later.',
}
