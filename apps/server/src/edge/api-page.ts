import { openApiDocument } from '@tollgate/contract/openapi'
import type { OpenApiDocument } from '@tollgate/contract/openapi'
import type { RouteDefinition } from '@tollgate/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Serves the OpenAPI document at `/openapi.json` and a readable page of it at `/docs`. Both are made when they
 * are first requested, because most gateways never need them and they cost 25 MB and a tenth of a second.
 */
export async function serveApiPage(
  app: FastifyInstance,
  api: { routes: readonly RouteDefinition[]; version: string },
): Promise<void> {
  const document = once(async () => openApiDocument(api.routes, { version: api.version }))
  const page = once(async () => openPage(await document()))
  // Written once: anybody may ask for it, and writing it anew takes the processor for 5 ms.
  const text = once(async () => Buffer.from(JSON.stringify(await document())))
  for (const path of ['/openapi.json', '/docs/json'])
    app.get(path, async (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/json; charset=utf-8')
        .send(await text()),
    )
  for (const path of ['/docs', '/docs/*'])
    app.get(path, async (request, reply) => passOn(await page(), request, reply))
}

async function openPage(document: OpenApiDocument): Promise<FastifyInstance> {
  const { openApiViewer } = await import('./api-viewer.ts')
  return openApiViewer(document)
}

/** The plugins of the page serve it from an application of their own; headers and compression are ours. */
async function passOn(page: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { statusCode, headers, rawPayload } = await page.inject({
    method: 'GET',
    url: request.url,
    headers: request.headers,
  })
  if (statusCode === 404) return reply.callNotFound()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_THE_CONNECTION.has(name)) void reply.header(name, value)
  return reply.code(statusCode).send(rawPayload)
}

const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['connection', 'content-length', 'date', 'keep-alive'])

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}
