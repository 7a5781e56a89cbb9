import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface PageOrigins {
  /** Where widgets come from that pages may load. */
  readonly scriptOrigins: () => readonly string[]
  /** Where pages may send forms: to be paid for. */
  readonly formOrigins: () => readonly string[]
  /** What pages may show in a frame beside anything over HTTPS: chat links. */
  readonly frameOrigins: () => readonly string[]
}

/**
 * Headers of everything but relay answers. No inline script, and none from elsewhere but `scriptOrigins`; no form leaves but
 * for `formOrigins`; all are asked each time. Pictures may come from anywhere over HTTPS: the operator's pages show some, and
 * one in an answer of a model is loaded by a click, never by itself. Inline style is what the component library writes. Frames may show what the
 * operator links (about, home), and nobody may frame us.
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
    // Whoever ends TLS in front of us decides about this; over plain HTTP it has no meaning.
    hsts: false,
    // The origin check falls back to it over plain HTTP, where browsers send nothing better.
    referrerPolicy: { policy: 'same-origin' },
  })
}
