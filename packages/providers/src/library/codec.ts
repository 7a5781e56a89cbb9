import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import { recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { errorInside, insideError, readUpstreamError } from '@tollgate/dialects/errors/upstream-error'
import type { UpstreamError } from '@tollgate/dialects/dialect'
import { dropping, textsOnly, type VendorCodec, tunedBy } from '../define/vendor-codec.ts'
import { objectParts, plainReply, type ReplyParts } from '../define/plain-reply.ts'
import { textOf } from '../ernie/turns.ts'

/** Questions to a document library. The vendor reports no usage. https://docs.aiproxy.io/dev/library */
export const libraryChat: VendorCodec = {
  limits: {
    ...tunedBy(),
    ...textsOnly,
    ...dropping('the library decides', 'seed', 'top-k', 'penalties', 'stop', 'reasoning'),
  },
  takesUrl: () => false,
  writeRequest,
  readReply: (body) => plainReply(heardWhole(body)),
  openReader: () => objectParts(heardIn),
  readError: (status, bytes) => readUpstreamError(status, bytes),
  readUsage: () => undefined,
}

/** Only the last message is sent as the question; the channel determines the library. */
function writeRequest({ model, messages, isStream }: Conversation): JsonObject {
  const last = messages.at(-1)
  return { model, query: last === undefined ? '' : textOf(last), stream: isStream }
}

function heardWhole(body: JsonObject): ReplyParts {
  const error = errorIn(body)
  if (error !== undefined) return { error }
  const answer = textAt(body, 'answer') ?? ''
  return { text: answer + sourcesOf(body), end: { reason: 'stop', raw: 'stop' } }
}

function heardIn(body: JsonObject): ReplyParts {
  const error = errorIn(body)
  if (error !== undefined) return { error }
  const text = textAt(body, 'content') ?? ''
  if (body['finish'] !== true) return { text }
  return { text: text + sourcesOf(body), end: { reason: 'stop', raw: 'stop' } }
}

/** Writes the source documents of an answer as a list of links. */
function sourcesOf(body: JsonObject): string {
  const links = recordsAt(body, 'documents').flatMap((document, index) => {
    const url = textAt(document, 'url')
    return url === undefined ? [] : [`${index + 1}. [${textAt(document, 'title') ?? url}](${url})`]
  })
  return links.length === 0 ? '' : `\n\n${links.join('\n')}\n`
}

function errorIn(body: JsonObject): UpstreamError | undefined {
  const reported = body['errCode']
  const code = typeof reported === 'number' ? reported : 0
  const isFailed = code !== 0 || body['success'] === false
  if (!isFailed) return errorInside(body)
  const message = textAt(body, 'message') ?? `error ${code}`
  return { ...insideError(message), code: String(code) }
}
