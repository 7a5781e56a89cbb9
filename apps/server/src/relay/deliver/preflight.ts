import type { Call } from '../call.ts'

/** Any page may call with a token it was given; nothing here ever goes by a cookie. */
const head = [
  'access-control-allow-origin',
  '*',
  'access-control-allow-methods',
  'GET, POST, DELETE, OPTIONS',
  // The star does not cover this one.
  'access-control-allow-headers',
  'authorization, *',
  'access-control-max-age',
  '86400',
  'content-length',
  '0',
]

export function answerPreflight({ response, request, id }: Call): void {
  const isPlayground = /^\/+pg\//.test(request.url ?? '')
  const allowed = isPlayground ? ['content-length', '0'] : head
  response.writeHead(204, [...allowed, 'x-request-id', id])
  response.end()
}
