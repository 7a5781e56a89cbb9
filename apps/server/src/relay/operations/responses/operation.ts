import { conversations } from '@tollgate/dialects/conversations'
import type { Operation } from '../operation.ts'
import { maxOutputTokens } from '../output-limit.ts'
import { conversationTranscript } from '../../transcript/conversation-text.ts'

/** https://platform.openai.com/docs/api-reference/responses */
export const responses: Operation = {
  name: 'responses',
  wire: 'responses',
  paths: [{ path: '/v1/responses' }],
  dialect: () => conversations.responses.caller,
  isConversation: true,
  sizes: 'text',
  isResendable: true,
  outputLimit: { mayBeAdded: true, write: maxOutputTokens },
  hasCommonToolLimit: true,
  transcript: conversationTranscript('responses'),
}
