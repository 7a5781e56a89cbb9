import type { CallerDialect, ListedModel, UpstreamDialect } from '../../canonical/codec.ts'
import { readUpstreamError, renderOpenAiError } from '../error.ts'
import { keepAlive } from '../stream-error.ts'
import { readOpenAiUsage } from '../usage.ts'
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
  writeModels: (models) => ({ object: 'list', success: true, data: models.map(modelObject) }),
  keepAlive,
}

export const openaiUpstream: UpstreamDialect = {
  name: 'openai',
  limits: chatLimits,
  takesUrl: (part) => part.type === 'image' || part.type === 'video',
  writeRequest,
  readReply,
  openReader: (readUsage) => new ChatStreamReader(readUsage),
  readError: readUpstreamError,
  readUsage: readOpenAiUsage,
}

function modelObject({ id, owner, createdSeconds }: ListedModel) {
  return { id, object: 'model', created: createdSeconds, owned_by: owner }
}
