import { textsOf } from '../define/embeddings.ts'
import type { Body } from '../quirks/body.ts'
import { ernieError } from './codec.ts'

/**
 * Successful responses are in the OpenAI format, errors are not.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/alj562vvu
 */
export function writeVectors(body: Body): Body {
  return { input: textsOf(body) }
}

export function readVectors(answer: Record<string, unknown>): Record<string, unknown> {
  const error = ernieError(answer)
  if (error === undefined) return answer
  // An error inside a 200 response carries its status in `code`.
  return { error: { message: error.message, type: 'upstream_error', code: error.status } }
}
