import { conversations } from '@tollgate/dialects/conversations'
import type { Operation } from '../operation.ts'
import { maxTokens } from '../output-limit.ts'
import { conversationTranscript } from '../../transcript/conversation-text.ts'

/** https://platform.openai.com/docs/api-reference/chat/create */
export const chat: Operation = {
  name: 'chat',
  wire: 'chat',
  paths: [{ path: '/v1/chat/completions' }, { path: '/pg/chat/completions', identity: 'session' }],
  dialect: () => conversations.chat.caller,
  isConversation: true,
  isRefusedInExtensions: true,
  sizes: 'text',
  isResendable: true,
  outputLimit: { mayBeAdded: true, write: maxTokens },
  transcript: conversationTranscript('chat'),
  probe: {
    body: ({ asked, upstream }) => ({
      model: asked,
      messages: [{ role: 'user', content: 'hi' }],
      ...probeLimit(upstream),
    }),
  },
}

/** Enough tokens for the model to produce output; Claude models with thinking set their own limit. */
function probeLimit(model: string): Record<string, number> {
  if (/^(?:o\d|gpt-5)/.test(model)) return { max_completion_tokens: 10 }
  if (model.includes('thinking')) return model.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: model.includes('gemini') ? 300 : 10 }
}
