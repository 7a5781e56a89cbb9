import type { CallerDialect, ListedModel, UpstreamDialect } from '../canonical/codec.ts'
import type { FeatureLimits } from '../canonical/feature.ts'
import type { JsonObject } from '../json.ts'
import { renderOpenAiError } from '../errors/render-error.ts'
import { readUpstreamError } from '../errors/upstream-error.ts'
import { commentLine } from '../stream/sse-line.ts'
import { readConversation } from './read-conversation.ts'
import { readReply } from './read-reply.ts'
import { ResponsesStreamReader } from './read-stream.ts'
import { readResponsesUsage } from './usage.ts'
import { writeReply } from './write-reply.ts'
import { writeRequest } from './write-request.ts'
import { ResponsesStreamWriter } from './write-stream.ts'

/** https://platform.openai.com/docs/api-reference/responses */
export const responsesCaller: CallerDialect = {
  name: 'responses',
  readConversation,
  writeReply,
  openWriter: (context) => new ResponsesStreamWriter(context),
  writeError: renderOpenAiError,
  writeModels,
  keepAlive: commentLine,
}

const limits: FeatureLimits = {
  'search-blocks': { does: 'refuse', because: 'only allowed sites can be listed' },
  'several-choices': { does: 'refuse', because: 'a call has one answer' },
  penalties: { does: 'refuse', because: 'there are no such parameters' },
  'logit-bias': { does: 'refuse', because: 'there is no such parameter' },
  stop: { does: 'refuse', because: 'there are no stop sequences' },
  'audio-output': { does: 'refuse', because: 'answers are text' },
  'image-output': { does: 'refuse', because: 'images come from a built-in tool' },
  video: { does: 'refuse', because: 'models accept images only' },
  'web-fetch': { does: 'refuse', because: "it would run another vendor's tool" },
  'other-builtins': { does: 'refuse', because: 'only that vendor runs them' },
  seed: { does: 'drop', because: 'a seed never guarantees the same answer' },
  'top-k': { does: 'drop', because: 'it only narrows sampling' },
  citations: { does: 'drop', because: 'there is no such parameter' },
  'search-uses': { does: 'convert', because: 'to a number of tool calls' },
  'cache-markers': { does: 'drop', because: 'prompts are cached automatically' },
  'speaker-names': { does: 'drop', because: 'turns have no names' },
}

export const responsesUpstream: UpstreamDialect = {
  name: 'responses',
  limits,
  takesCustomTools: () => true,
  takesUrl: ({ type }) => type === 'image' || type === 'file',
  writeRequest,
  readReply,
  openReader: (readUsage) => new ResponsesStreamReader(readUsage),
  readError: readUpstreamError,
  readUsage: readResponsesUsage,
}

function writeModels(models: readonly ListedModel[]): JsonObject {
  return {
    object: 'list',
    data: models.map(({ id, owner, createdSeconds }) => ({
      id,
      object: 'model',
      created: createdSeconds,
      owned_by: owner,
    })),
  }
}
