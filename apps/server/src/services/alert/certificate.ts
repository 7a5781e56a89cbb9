import type { Egress } from '@tollgate/egress/egress'
import type { Services } from '../services.ts'

interface CertificateParts extends Pick<Services, 'options' | 'clock'> {
  readonly egress: Pick<Egress, 'exchange'>
}

const CHECK_EVERY_MS = 3_600_000
const TIMEOUT_MS = 10_000
const BYTES_MAX = 256 * 1024
/** Codes of Node and OpenSSL for a certificate that is expired, of another host, or not trusted. */
const REFUSED = /CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO_(?:GET|VERIFY)/

/**
 * Connects to the OIDC provider once an hour, and returns why its certificate is refused. A provider that is merely
 * down is no reason.
 */
export function certificateCheck({
  options,
  egress,
  clock,
}: CertificateParts): () => Promise<string | undefined> {
  let checkedMs = Number.NEGATIVE_INFINITY
  let problem: string | undefined
  return async () => {
    if (clock.nowMs() - checkedMs < CHECK_EVERY_MS) return problem
    checkedMs = clock.nowMs()
    const url = options.get('oidc.well_known') || options.get('oidc.token_endpoint')
    if (!options.get('oidc.enabled') || !url.startsWith('https:')) return (problem = undefined)
    problem = await egress.exchange({ method: 'GET', url, timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX }).then(
      () => undefined,
      (error: unknown) => refusedCertificate(error),
    )
    return problem
  }
}

/** The code of a TLS failure in an error or its causes. */
export function refusedCertificate(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string' && REFUSED.test(at.code)) return at.code
  return undefined
}
