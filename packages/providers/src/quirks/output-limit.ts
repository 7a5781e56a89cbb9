import type { RequestQuirk } from '../provider.ts'
import { isTold, omit, onBody } from './body.ts'

/**
 * For vendors that only know `max_tokens`. They would ignore the newer name and write more than the client
 * allowed and the hold covers.
 */
export const olderOutputLimit: RequestQuirk = onBody((body) => {
  if (!isTold(body, 'max_completion_tokens')) return body
  const limit = body['max_completion_tokens']
  return { ...omit(body, 'max_completion_tokens'), max_tokens: limit }
})

/** For models that refuse `max_tokens`. */
export const newerOutputLimit: RequestQuirk = onBody((body) => {
  if (!isTold(body, 'max_tokens')) return body
  const rest = omit(body, 'max_tokens')
  return isTold(rest, 'max_completion_tokens') ? rest : { ...rest, max_completion_tokens: body['max_tokens'] }
})
