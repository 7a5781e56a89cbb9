import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** Probes and metrics for operators and their monitoring. */
export interface Health {
  /** Whether this process would answer a call. */
  readiness(): Promise<{ readonly status: 'ready' | 'degraded' | 'not ready'; readonly reason?: string }>
  /** Returns the metrics in Prometheus text format. */
  metrics(): Promise<string>
}

/** Names that load balancers and the clients of other gateways ask for; all of a kind answer alike. */
export const livenessPaths = ['/healthz', '/livez', '/health/liveliness'] as const
export const readinessPaths = ['/readyz', '/health/readiness'] as const

/** `/metrics` exists only when a token is configured, because ledger figures are not public. */
export function serveHealth(
  app: FastifyInstance,
  parts: { health: Health; metricsToken: string | undefined },
): void {
  const { health, metricsToken } = parts
  for (const path of livenessPaths)
    app.get(path, async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  for (const path of readinessPaths)
    app.get(path, async (_request, reply) => {
      const readiness = await health.readiness()
      return reply
        .code(readiness.status === 'not ready' ? 503 : 200)
        .header('cache-control', 'no-store')
        .send(readiness)
    })
  if (metricsToken === undefined) return
  app.get('/metrics', async (request, reply) => {
    if (!isSame(presentedToken(request.headers.authorization ?? ''), metricsToken))
      return reply.code(401).header('www-authenticate', 'Basic realm="metrics", Bearer').send('')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await health.metrics())
  })
}

/** The bearer token, or the password of basic authentication, whose user name does not matter. */
function presentedToken(authorization: string): string {
  const [scheme = '', credentials = ''] = authorization.split(' ', 2)
  if (/^bearer$/i.test(scheme)) return authorization.slice(scheme.length + 1)
  if (!/^basic$/i.test(scheme)) return ''
  const text = Buffer.from(credentials, 'base64').toString('utf8')
  return text.slice(text.indexOf(':') + 1)
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
