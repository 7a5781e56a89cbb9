import type { CallOperation } from '@tollgate/dialects/conversations'
import type { Ask } from '@tollgate/dialects/dialect'
import { isMedia } from '@tollgate/dialects/media/operation'
import { visitInput } from '@tollgate/dialects/tokens/input'
import { textsIn } from './texts-in.ts'

/**
 * Everything of a request that a model reads, in any dialect: messages of all roles, system prompts, and
 * definitions and results of tools.
 */
export function textsOfCall(operation: CallOperation, ask: Ask): string {
  // Vendors have their own members for pictures and speech, which token counting does not know.
  if (isMedia(operation)) return textsIn(ask.body).join('\n')
  const texts: string[] = []
  visitInput(operation, ask, {
    text: (text) => void texts.push(text),
    json: (bytes, start, end) => void texts.push(bytes.toString('utf8', start, end)),
    tokens: () => undefined,
    media: () => undefined,
  })
  return texts.join('\n')
}
