import { isRecord, recordsAt, type JsonObject } from '@tollgate/dialects/json'
import { answerWith, sendJson, streamWith, type Responder } from '../relay/upstream.ts'

/** Servers that accept less of chat completions than OpenAI does, with their real error texts. */

const answer = answerWith()

/** Refuses a list of texts where a string is possible, with the error of servers written in Rust. */
export const stringsOnly: Responder = (response, request) => {
  const isList = recordsAt(request.body, 'messages').some(isListOfTexts)
  if (!isList) return answer(response, request)
  const message =
    'Failed to deserialize the JSON body into the target type: messages[0]: invalid type: sequence, expected a string at line 1 column 64'
  return sendJson(response, 400, { error: { message, type: 'invalid_request_error', param: null } })
}

function isListOfTexts({ content }: JsonObject): boolean {
  return Array.isArray(content) && content.every((part) => isRecord(part) && part['type'] === 'text')
}

/** Accepts system messages only at the beginning, as the chat templates of Qwen models do. */
export const systemFirst: Responder = (response, request) => {
  const roles = recordsAt(request.body, 'messages').map(({ role }) => role)
  if (!roles.slice(1).includes('system')) return answer(response, request)
  return sendJson(response, 400, {
    error: { message: 'System message must be at the beginning.', type: 'BadRequestError', code: 400 },
  })
}

/** Refuses members with the error that OpenAI returns for models that lack them. */
export function refusing(...members: readonly string[]): Responder {
  return (response, request) => {
    const param = members.find((member) => Object.hasOwn(request.body, member))
    if (param === undefined) return answerInKind(response, request)
    const message = `Unsupported parameter: '${param}' is not supported with this model.`
    return sendJson(response, 400, {
      error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' },
    })
  }
}

/** Supports only chat completions; any other path is 404. */
export const chatAlone: Responder = (response, request) =>
  request.path.endsWith('/chat/completions')
    ? answerInKind(response, request)
    : sendJson(response, 404, { detail: 'Not Found' })

const answerInKind: Responder = (response, request) =>
  (request.body['stream'] === true ? streamWith() : answer)(response, request)
