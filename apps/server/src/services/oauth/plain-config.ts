import * as client from 'openid-client'
import { SIGN_IN_TIMEOUT_MS, egressFetch } from './egress-fetch.ts'
import type { OAuthServices } from './services.ts'

export interface PlainProvider {
  readonly issuer: string
  readonly authorize: string
  readonly token: string
  readonly clientId: string
  readonly authentication: client.ClientAuth
}

/** Configuration for a plain OAuth 2.0 provider without a discovery document. */
export function plainConfiguration(
  { egress }: Pick<OAuthServices, 'egress'>,
  provider: PlainProvider,
): client.Configuration {
  const server = {
    issuer: provider.issuer,
    authorization_endpoint: provider.authorize,
    token_endpoint: provider.token,
  }
  const config = new client.Configuration(server, provider.clientId, undefined, provider.authentication)
  config[client.customFetch] = egressFetch(egress)
  config.timeout = SIGN_IN_TIMEOUT_MS / 1000
  if (provider.token.startsWith('http:')) client.allowInsecureRequests(config)
  return config
}
