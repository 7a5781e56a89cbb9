import type { Egress } from '@tollgate/egress/egress'
import * as client from 'openid-client'
import { egressFetch } from './egress-fetch.ts'
import type { OidcSettings } from './oidc-settings.ts'
import { configurationOf } from './configuration.ts'

type IssuerEgress = Pick<Egress, 'exchange'>

/** Only asymmetric signature algorithms, which require the provider's private key. */
const SIGNED_BY = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/**
 * A provider without a discovery document, as the operator described it. Its identity tokens are verified
 * like any other's: by issuer and keys.
 */
export function typedIssuer(egress: IssuerEgress, settings: OidcSettings): client.Configuration {
  const { issuer, keys, authorize, token, userInfo, clientId, clientSecret } = settings
  const server: client.ServerMetadata = {
    issuer,
    jwks_uri: keys,
    authorization_endpoint: authorize,
    token_endpoint: token,
    id_token_signing_alg_values_supported: SIGNED_BY,
    userinfo_endpoint: userInfo || undefined,
  }
  // The client secret is sent in the form, like new-api does.
  const authentication = client.ClientSecretPost(clientSecret)
  const config = configurationOf(server, { clientId, authentication, fetch: egressFetch(egress) })
  client.enableNonRepudiationChecks(config)
  return config
}

/**
 * A provider whose issuer and keys are unknown as well. If it sends an identity token anyway, the token is
 * ignored because it cannot be verified. Identities are distinguished by the issuer, or else by the profile
 * URL.
 */
export function plainIssuer(egress: IssuerEgress, settings: OidcSettings): client.Configuration {
  const { issuer, authorize, token, userInfo, clientId, clientSecret } = settings
  const server: client.ServerMetadata = {
    issuer: issuer === '' ? userInfo : issuer,
    authorization_endpoint: authorize,
    token_endpoint: token,
    userinfo_endpoint: userInfo,
  }
  const authentication = client.ClientSecretPost(clientSecret)
  return configurationOf(server, { clientId, authentication, fetch: withoutIdToken(egressFetch(egress)) })
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
