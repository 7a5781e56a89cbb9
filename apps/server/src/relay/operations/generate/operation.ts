import { conversations } from '@tollgate/dialects/conversations'
import { geminiCaller } from '@tollgate/dialects/gemini/codec'
import type { Operation } from '../operation.ts'
import { generationConfig } from '../output-limit.ts'
import { modelAction } from '../path-parts.ts'
import { conversationTranscript } from '../../transcript/conversation-text.ts'

const listed = geminiCaller('array')

/** https://ai.google.dev/api/generate-content */
export const generate: Operation = {
  name: 'generate',
  wire: 'generate',
  paths: [],
  match: (path) => {
    const { model, action } = modelAction(path) ?? {}
    if (action !== 'generateContent' && action !== 'streamGenerateContent') return undefined
    return { defaults: { pathModel: model, isStream: action === 'streamGenerateContent' } }
  },
  isModelInPath: true,
  // A stream is one JSON array unless `alt=sse` is requested.
  dialect: (url) => (/[?&]alt=sse(?:&|$)/.test(url) ? conversations.generate.caller : listed),
  isConversation: true,
  sizes: 'text',
  isResendable: true,
  outputLimit: { mayBeAdded: true, write: generationConfig },
  transcript: conversationTranscript('generate'),
  tokenCount: (tokens) => ({ totalTokens: tokens }),
}
