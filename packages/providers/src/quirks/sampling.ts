import type { RequestQuirk } from '../provider.ts'
import { omit, onBody } from './body.ts'

/** Clamps `top_p` to a vendor's range, if the client sent one. */
export function clampTopP(range: { readonly min?: number; readonly max: number }): RequestQuirk {
  return onBody((body) => {
    const reported = body['top_p']
    if (typeof reported !== 'number') return body
    const clamped = Math.min(range.max, Math.max(range.min ?? reported, reported))
    return clamped === reported ? body : { ...body, top_p: clamped }
  })
}

/** The hosts of OpenAI itself. https://platform.openai.com/docs/api-reference/chat/create */
const OPENAI_HOSTS = /^https:\/\/(?:api\.openai\.com|[\w.-]+\.azure\.com)(?:[:/]|$)/i

/**
 * OpenAI refuses `top_k`. In a converted request it is dropped, because it only narrows the sampling; if a
 * chat completions client sends it, it is kept.
 */
export const withoutForeignTopK: RequestQuirk = (outgoing, { baseUrl }) => {
  const { body, isConverted = false } = outgoing
  if (!isConverted || !OPENAI_HOSTS.test(baseUrl)) return outgoing
  return { ...outgoing, body: omit(body, 'top_k') }
}
