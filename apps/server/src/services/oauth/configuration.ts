import * as client from 'openid-client'
import { SIGN_IN_TIMEOUT_MS } from './egress-fetch.ts'

interface Credentials {
  readonly clientId: string
  readonly authentication: client.ClientAuth
  readonly fetch: client.CustomFetch
}

/**
 * Our credentials at a provider whose endpoints are known. An operator who configures an `http:` address means
 * a provider inside their own network.
 */
export function configurationOf(
  server: client.ServerMetadata,
  { clientId, authentication, fetch }: Credentials,
): client.Configuration {
  const config = new client.Configuration(server, clientId, undefined, authentication)
  config[client.customFetch] = fetch
  config.timeout = SIGN_IN_TIMEOUT_MS / 1000
  if (server.token_endpoint?.startsWith('http:')) client.allowInsecureRequests(config)
  return config
}
