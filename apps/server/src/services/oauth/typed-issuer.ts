import type { Egress } from '@tollgate/egress/egress'
import * as client from 'openid-client'
import { SIGN_IN_TIMEOUT_MS, egressFetch } from './egress-fetch.ts'
import type { OidcSettings } from './oidc-settings.ts'

type IssuerEgress = Pick<Egress, 'exchange'>

/** Signatures that only the holder of a private key can make. */
const SIGNED_BY = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/**
 * A provider that publishes nothing about itself, as the operator has described it. Its identity tokens are checked like those
 * of any other: for their issuer, and with its keys.
 */
export function typedIssuer(egress: IssuerEgress, settings: OidcSettings): client.Configuration {
  const { issuer, keys, authorize, token, userInfo, clientId, clientSecret } = settings
  const server: client.ServerMetadata = {
    issuer,
    jwks_uri: keys,
    authorization_endpoint: authorize,
    token_endpoint: token,
    id_token_signing_alg_values_supported: SIGNED_BY,
    ...(userInfo !== '' && { userinfo_endpoint: userInfo }),
  }
  const config = configurationOf(server, { clientId, clientSecret, fetch: egressFetch(egress) })
  client.enableNonRepudiationChecks(config)
  return config
}

/**
 * A provider whose name and keys are not known either. An identity token that it sends all the same is left out, because it
 * cannot be checked. Identities differ by the issuer, or else by where profiles are read.
 */
export function plainIssuer(egress: IssuerEgress, settings: OidcSettings): client.Configuration {
  const { issuer, authorize, token, userInfo, clientId, clientSecret } = settings
  const server: client.ServerMetadata = {
    issuer: issuer === '' ? userInfo : issuer,
    authorization_endpoint: authorize,
    token_endpoint: token,
    userinfo_endpoint: userInfo,
  }
  return configurationOf(server, { clientId, clientSecret, fetch: withoutIdToken(egressFetch(egress)) })
}

interface Client {
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch: client.CustomFetch
}

/** The secret goes into the form, as the family has always sent it. */
function configurationOf(server: client.ServerMetadata, { clientId, clientSecret, fetch }: Client) {
  const config = new client.Configuration(server, clientId, undefined, client.ClientSecretPost(clientSecret))
  config[client.customFetch] = fetch
  config.timeout = SIGN_IN_TIMEOUT_MS / 1000
  if (server.token_endpoint?.startsWith('http:')) client.allowInsecureRequests(config)
  return config
}

function withoutIdToken(fetch: client.CustomFetch): client.CustomFetch {
  return async (url, options) => {
    const response = await fetch(url, options)
    if (options.method !== 'POST' || response.status !== 200) return response
    const answer: unknown = await response.json().catch(() => undefined)
    if (typeof answer !== 'object' || answer === null) return Response.json(answer ?? null)
    const { id_token: _unchecked, ...rest } = { id_token: undefined, ...answer }
    return Response.json(rest)
  }
}
