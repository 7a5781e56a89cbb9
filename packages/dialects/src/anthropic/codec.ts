import type { CallerDialect, ListedModel, UpstreamDialect } from '../canonical/codec.ts'
import { readUpstreamError } from '../errors/render-error.ts'
import { renderAnthropicError } from './error.ts'
import { messagesLimits } from './limits.ts'
import { readConversation } from './read-conversation.ts'
import { readReply } from './read-reply.ts'
import { MessageStreamReader } from './read-stream.ts'
import { readAnthropicUsage } from './usage.ts'
import { writeReply } from './write-reply.ts'
import { writeRequest } from './write-request.ts'
import { MessageStreamWriter } from './write-stream.ts'

export const anthropicCaller: CallerDialect = {
  name: 'anthropic',
  readConversation,
  writeReply,
  openWriter: (context) => new MessageStreamWriter(context),
  writeError: renderAnthropicError,
  writeModels: (models, page) => ({
    data: models.map(modelObject),
    first_id: models[0]?.id ?? null,
    has_more: page?.hasMore ?? false,
    last_id: models.at(-1)?.id ?? null,
  }),
  keepAlive: Buffer.from('event: ping\ndata: {"type": "ping"}\n\n'),
}

export const anthropicUpstream: UpstreamDialect = {
  name: 'anthropic',
  limits: messagesLimits,
  takesUrl: (part) => part.type === 'image' || part.type === 'file',
  writeRequest,
  readReply,
  openReader: (readUsage) => new MessageStreamReader(readUsage),
  readError: readUpstreamError,
  readUsage: readAnthropicUsage,
}

/**
 * A model that its vendor has already shut down is still reported as deprecated: this gateway may offer it
 * from another source. https://docs.anthropic.com/en/api/models-list
 */
function modelObject({ id, createdSeconds, facts }: ListedModel) {
  const { shutdownDate } = facts
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(createdSeconds * 1000).toISOString(),
    max_input_tokens: facts.contextTokens ?? null,
    max_tokens: facts.outputTokensMax ?? null,
    input_modalities: facts.input ?? null,
    output_modalities: facts.output ?? null,
    lifecycle: shutdownDate === undefined ? 'active' : 'deprecated',
    deprecated_at: null,
    retires_at: shutdownDate === undefined ? null : `${shutdownDate}T00:00:00Z`,
    capabilities: null,
    line: null,
  }
}
