/**
 * Preloaded into Portkey. With the @hono/node-server version that npm installs for it (1.19.19), every
 * streamed response fails with "TypeError: immutable", because Portkey adds headers to a fetched response.
 * This shim returns a response with mutable headers. The copy costs a few microseconds of a stream that takes
 * Portkey more than a millisecond.
 */
const fetchAsBuilt = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const answer = await fetchAsBuilt(input, init)
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  return new Response(answer.body, { status: answer.status, headers: new Headers(answer.headers) })
}
