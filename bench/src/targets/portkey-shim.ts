/**
 * Loaded into Portkey before it starts. With the @hono/node-server that npm installs for it (1.19.19), every streamed
 * answer ends in "TypeError: immutable", because it adds headers to those of a fetched response. Here such a response
 * gets headers of its own. The copy costs a few microseconds of a stream that takes it more than a millisecond.
 */
const fetchAsBuilt = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const answer = await fetchAsBuilt(input, init)
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  return new Response(answer.body, { status: answer.status, headers: new Headers(answer.headers) })
}
