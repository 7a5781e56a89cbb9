import type { RequestQuirk } from '../provider.ts'
import { omit, onBody } from './body.ts'

/** Brings `top_p` into a vendor's range, if the caller sent one. */
export function clampTopP(range: { readonly min?: number; readonly max: number }): RequestQuirk {
  return onBody((body) => {
    const told = body['top_p']
    if (typeof told !== 'number') return body
    const clamped = Math.min(range.max, Math.max(range.min ?? told, told))
    return clamped === told ? body : { ...body, top_p: clamped }
  })
}

/** OpenAI's own machines. https://platform.openai.com/docs/api-reference/chat/create */
const OPENAI_HOSTS = /^https:\/\/(?:api\.openai\.com|[\w.-]+\.azure\.com)(?:[:/]|$)/i

/** It only narrows what may be said, and came from a dialect that knows it; what a caller of this one says stays. */
export const withoutForeignTopK: RequestQuirk = (outgoing, { baseUrl }) => {
  const { body, isConverted = false } = outgoing
  if (!isConverted || !OPENAI_HOSTS.test(baseUrl)) return outgoing
  return { ...outgoing, body: omit(body, 'top_k') }
}
