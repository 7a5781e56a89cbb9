import { conversations } from '@tollgate/dialects/conversations'
import type { Operation } from '../operation.ts'
import { maxTokens } from '../output-limit.ts'
import { conversationTranscript } from '../../transcript/conversation-text.ts'

/** https://docs.anthropic.com/en/api/messages */
export const messages: Operation = {
  name: 'messages',
  wire: 'messages',
  paths: [{ path: '/v1/messages' }],
  dialect: () => conversations.messages.caller,
  isConversation: true,
  hasShortPromptCache: true,
  sizes: 'text',
  isResendable: true,
  outputLimit: { mayBeAdded: true, write: maxTokens },
  transcript: conversationTranscript('messages'),
  tokenCount: (tokens) => ({ input_tokens: tokens }),
}
