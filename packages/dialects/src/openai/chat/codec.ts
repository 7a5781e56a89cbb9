import type { CallerDialect, ListedModel, UpstreamDialect } from '../../canonical/codec.ts'
import { readUpstreamError, renderOpenAiError } from '../../errors/render-error.ts'
import { commentLine } from '../../stream/sse-line.ts'
import { readOpenAiUsage } from '../../openai-usage.ts'
import { chatLimits } from './limits.ts'
import { readConversation } from './read-conversation.ts'
import { readReply } from './read-reply.ts'
import { ChatStreamReader } from './read-stream.ts'
import { writeReply } from './write-reply.ts'
import { writeRequest } from './write-request.ts'
import { ChatStreamWriter } from './write-stream.ts'

export const openaiCaller: CallerDialect = {
  name: 'openai',
  readConversation,
  writeReply,
  openWriter: (context) => new ChatStreamWriter(context),
  writeError: renderOpenAiError,
  writeModels: (models, page) => ({
    object: 'list',
    success: true,
    data: models.map(modelObject),
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
    has_more: page?.hasMore ?? false,
  }),
  keepAlive: commentLine,
}

export const openaiUpstream: UpstreamDialect = {
  name: 'openai',
  limits: chatLimits,
  takesCustomTools: ({ customTools }) => customTools === true,
  takesUrl: (part) => part.type === 'image' || part.type === 'video',
  writeRequest,
  readReply,
  openReader: (readUsage) => new ChatStreamReader(readUsage),
  readError: readUpstreamError,
  readUsage: readOpenAiUsage,
}

function modelObject({ id, root, owner, createdSeconds, facts }: ListedModel) {
  return {
    id,
    object: 'model',
    created: createdSeconds,
    owned_by: owner,
    root,
    parent: null,
    display_name: id,
    context_length: facts.contextTokens,
    max_output_tokens: facts.outputTokensMax,
    input_modalities: facts.input,
    output_modalities: facts.output,
    shutdown_date: facts.shutdownDate ?? null,
  }
}
