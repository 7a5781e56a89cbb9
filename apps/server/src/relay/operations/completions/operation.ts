import type { Operation } from '../operation.ts'
import { maxTokens } from '../output-limit.ts'
import { completionTranscript } from '../../transcript/legacy-completion.ts'

/** https://platform.openai.com/docs/api-reference/completions */
export const completions: Operation = {
  name: 'completions',
  wire: 'completions',
  paths: [{ path: '/v1/completions' }],
  sizes: 'text',
  isResendable: true,
  // Without a limit an upstream writes a short response; a limit set by the gateway would make it longer.
  outputLimit: { mayBeAdded: false, write: maxTokens },
  transcript: completionTranscript,
}
