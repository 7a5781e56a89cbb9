import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/**
 * Headers of everything but relay answers. No inline script, and none from elsewhere but `scriptOrigins`, asked each time; inline style is what the component library writes. Frames
 * may show what the operator links (about, home), and nobody may frame us.
 */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { scriptOrigins }: { scriptOrigins: () => readonly string[] },
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
        frameSrc: ["'self'", 'https:'],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
      },
    },
    frameguard: { action: 'sameorigin' },
    // Whoever ends TLS in front of us decides about this; over plain HTTP it has no meaning.
    hsts: false,
    // The origin check falls back to it over plain HTTP, where browsers send nothing better.
    referrerPolicy: { policy: 'same-origin' },
  })
}
