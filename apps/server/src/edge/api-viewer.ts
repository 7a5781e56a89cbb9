import swagger from '@fastify/swagger'
import type { StaticDocumentSpec } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { OpenApiDocument } from '@tollgate/contract/openapi'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

/** An application that serves a readable page of the document at `/docs`. It listens nowhere. */
export async function openApiViewer(document: OpenApiDocument): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true },
  })
  await app.register(swagger, { mode: 'static', specification: { document: asStatic(document) } })
  await app.register(swaggerUi, { routePrefix: '/docs', indexPrefix: '' })
  await app.ready()
  return app
}

/**
 * The plugin has its own exact type for the document; ours is plain data generated from schemas, hence the
 * cast.
 */
function asStatic(document: OpenApiDocument): StaticDocumentSpec['document'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return document as unknown as StaticDocumentSpec['document']
}
