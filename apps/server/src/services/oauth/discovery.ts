import type { Egress } from '@tollgate/egress/egress'
import { problem } from '@tollgate/problems/problem'
import * as client from 'openid-client'
import { SIGN_IN_TIMEOUT_MS, egressFetch } from './egress-fetch.ts'

export interface IssuerSettings {
  /** URL of the discovery document, or the issuer itself. */
  readonly wellKnown: string
  readonly clientId: string
  readonly clientSecret: string
  /** Endpoints configured by the operator; "" keeps the value of the discovery document. */
  readonly overrides: Endpoints
}

export interface Endpoints {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
}

type IssuerEgress = Pick<Egress, 'exchange'>

const WELL_KNOWN = /\/\.well-known\/openid-configuration$/
/** The library's error code for a discovery document that names an issuer other than the requested one. */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'

/**
 * Reads the issuer's discovery document and combines it with our client credentials. Identity tokens are
 * verified with the issuer's published keys.
 */
export async function discoverIssuer(
  egress: IssuerEgress,
  settings: IssuerSettings,
): Promise<client.Configuration> {
  const { wellKnown, clientId } = settings
  const authenticate = authentication(settings.clientSecret)
  const found = await readIssuer(egress, { wellKnown, clientId, authenticate })
  const metadata = found.serverMetadata()
  const overrides = Object.entries(settings.overrides).filter(([, address]) => address !== '')
  const server = { ...metadata, ...Object.fromEntries(overrides) }
  if (overrides.every(([name, address]) => metadata[name] === address)) return found
  const config = new client.Configuration(server, clientId, undefined, authenticate)
  config[client.customFetch] = egressFetch(egress)
  config.timeout = SIGN_IN_TIMEOUT_MS / 1000
  for (const rule of rulesFor(wellKnown)) rule(config)
  return config
}

/** Reads the endpoints of an issuer for the settings form. */
export async function readEndpoints(
  egress: IssuerEgress,
  wellKnown: string,
): Promise<Endpoints & { issuer: string }> {
  const found = await readIssuer(egress, { wellKnown, clientId: 'nobody', authenticate: client.None() })
  const metadata = found.serverMetadata()
  return {
    issuer: metadata.issuer,
    authorization_endpoint: metadata.authorization_endpoint ?? '',
    token_endpoint: metadata.token_endpoint ?? '',
    userinfo_endpoint: metadata.userinfo_endpoint ?? '',
  }
}

interface Asking {
  readonly wellKnown: string
  readonly clientId: string
  readonly authenticate: client.ClientAuth
}

/**
 * The issuer in the document must equal the address it was found at; some issuers end in a slash, so both
 * forms are tried.
 */
async function readIssuer(egress: IssuerEgress, asked: Asking): Promise<client.Configuration> {
  const issuer = URL.parse(asked.wellKnown.replace(WELL_KNOWN, ''))
  if (issuer?.protocol !== 'https:' && issuer?.protocol !== 'http:') throw problem('oidc_discovery_failed')
  const discover = (server: URL) =>
    client.discovery(server, asked.clientId, undefined, asked.authenticate, {
      [client.customFetch]: egressFetch(egress),
      timeout: SIGN_IN_TIMEOUT_MS / 1000,
      execute: rulesFor(asked.wellKnown),
    })
  try {
    return await discover(issuer).catch((error: unknown) => {
      if (!isOtherIssuer(error) || issuer.href.endsWith('/')) throw error
      return discover(new URL(`${issuer.href}/`))
    })
  } catch (cause) {
    throw problem(isOtherIssuer(cause) ? 'oidc_issuer_wrong' : 'oidc_discovery_failed', {}, { cause })
  }
}

/** An operator who configures an `http:` address means a provider inside their own network. */
function rulesFor(wellKnown: string): ((config: client.Configuration) => void)[] {
  const isInsecure = wellKnown.startsWith('http:')
  return [client.enableNonRepudiationChecks, ...(isInsecure ? [client.allowInsecureRequests] : [])]
}

function isOtherIssuer(error: unknown): boolean {
  return error instanceof client.ClientError && error.code === OTHER_ISSUER
}

/**
 * Sends the client secret in the form if the issuer declares support for it, as new-api does; otherwise in
 * the header, which every issuer must support.
 */
function authentication(clientSecret: string): client.ClientAuth {
  const byForm = client.ClientSecretPost(clientSecret)
  const byHeader = client.ClientSecretBasic(clientSecret)
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    const apply = methods.includes('client_secret_post') ? byForm : byHeader
    apply(server, ...rest)
  }
}
