import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface PageOrigins {
  /** Origins of the scripts (third-party widgets) that pages may load. */
  readonly scriptOrigins: () => readonly string[]
  /** Origins that pages may submit forms to, for payments. */
  readonly formOrigins: () => readonly string[]
  /** Origins that pages may frame in addition to all HTTPS origins: those of chat links. */
  readonly frameOrigins: () => readonly string[]
}

/**
 * Adds the security headers of all responses except those of the relay.
 *
 * - Scripts: no inline scripts, and external ones only from `scriptOrigins`.
 * - Forms may be submitted only to `formOrigins`. Both lists are read anew for each response.
 * - Images may come from any HTTPS origin, because pages written by the operator contain some. An image in a
 *   model's reply is loaded only after a click.
 * - Inline styles are allowed because the component library writes them.
 * - Pages may frame what the operator links (about, home). Other sites may not frame the gateway.
 */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { scriptOrigins, formOrigins, frameOrigins }: PageOrigins,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [() => ["'self'", ...scriptOrigins()].join(' ')],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        mediaSrc: ["'self'", 'data:', 'blob:', 'https:'],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: [() => ["'self'", 'https:', ...frameOrigins()].join(' ')],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: [() => ["'self'", ...formOrigins()].join(' ')],
      },
    },
    frameguard: { action: 'sameorigin' },
    // The proxy that terminates TLS decides about HSTS; over plain HTTP the header has no effect.
    hsts: false,
    // Over plain HTTP browsers send no `Sec-Fetch-Site`, so the origin check falls back to `Referer`.
    referrerPolicy: { policy: 'same-origin' },
  })
}
