import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** What operators and their machines ask. */
export interface Health {
  /** Started, not stopping, and the store can be written. */
  isReady(): Promise<boolean>
  /** Prometheus text. */
  metrics(): Promise<string>
}

/** `/metrics` exists only with a token: figures of the books are not for everybody. */
export function serveHealth(
  app: FastifyInstance,
  parts: { health: Health; metricsToken: string | undefined },
): void {
  const { health, metricsToken } = parts
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', async (_request, reply) => {
    const isReady = await health.isReady()
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isReady ? 'ready' : 'not ready' })
  })
  if (metricsToken === undefined) return
  app.get('/metrics', async (request, reply) => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`))
      return reply.code(401).header('www-authenticate', 'Bearer').send('')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await health.metrics())
  })
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
