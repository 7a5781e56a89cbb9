import swagger from '@fastify/swagger'
import type { StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { openApiDocument } from '@tollgate/contract/openapi'
import type { OpenApiDocument } from '@tollgate/contract/openapi'
import type { RouteDefinition } from '@tollgate/contract/route'
import type { FastifyInstance } from 'fastify'

/** Serves the OpenAPI document at `/openapi.json` and a readable page of it at `/docs`. */
export async function serveApiPage(
  app: FastifyInstance,
  api: { routes: readonly RouteDefinition[]; version: string },
): Promise<void> {
  const document = openApiDocument(api.routes, { version: api.version })
  await app.register(swagger, { mode: 'static', specification: { document: asStatic(document) } })
  await app.register(swaggerUi, { routePrefix: '/docs', indexPrefix: '' })
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(document),
  )
}

/**
 * The plugin has its own exact type for the document; ours is plain data generated from schemas, hence the
 * cast.
 */
function asStatic(document: OpenApiDocument): StaticDocumentSpec['document'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return document as unknown as StaticDocumentSpec['document']
}
