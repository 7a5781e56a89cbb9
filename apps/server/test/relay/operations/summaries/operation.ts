import type { Operation } from '../../../../src/relay/operations/operation.ts'
import { maxTokens } from '../../../../src/relay/operations/output-limit.ts'
import { conversationTranscript } from '../../../../src/relay/transcript/conversation-text.ts'

/** A new operation, as the guide describes it: summaries are asked for and given in the form of chat. */
export const summaries: Operation = {
  name: 'summaries',
  wire: 'chat',
  paths: [{ path: '/v1/summaries', defaults: { defaultModel: 'gpt-4o' } }],
  isConversation: true,
  sizes: 'text',
  outputLimit: { mayBeAdded: true, write: maxTokens },
  transcript: conversationTranscript('chat'),
}
