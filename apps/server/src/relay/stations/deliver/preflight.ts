import type { Call } from '../../call.ts'

/** Any web page may call the API with a token; API requests are never authenticated by a cookie. */
const head = [
  'access-control-allow-origin',
  '*',
  'access-control-allow-methods',
  'GET, POST, DELETE, OPTIONS',
  // The wildcard does not cover `authorization`.
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
