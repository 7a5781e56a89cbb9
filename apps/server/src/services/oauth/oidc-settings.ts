import type { Options } from '../services.ts'

/** The operator's settings for the provider; "" where nothing is set. */
export interface OidcSettings {
  readonly wellKnown: string
  readonly clientId: string
  readonly clientSecret: string
  readonly issuer: string
  readonly keys: string
  readonly authorize: string
  readonly token: string
  readonly userInfo: string
}

/**
 * `published`: the provider has a discovery document with everything needed. `typed`: it has none, and the
 * operator configured issuer and keys. `plain`: neither, so identity tokens cannot be verified and plain
 * OAuth 2.0 with a profile request identifies the user.
 */
export type OidcMode = 'published' | 'typed' | 'plain'

export function readOidcSettings(options: Options): OidcSettings {
  return {
    wellKnown: options.get('oidc.well_known'),
    clientId: options.get('oidc.client_id'),
    clientSecret: options.get('oidc.client_secret'),
    issuer: options.get('oidc.issuer'),
    keys: options.get('oidc.jwks_uri'),
    authorize: options.get('oidc.authorization_endpoint'),
    token: options.get('oidc.token_endpoint'),
    userInfo: options.get('oidc.user_info_endpoint'),
  }
}

export function oidcMode({ wellKnown, issuer, keys }: OidcSettings): OidcMode {
  if (wellKnown !== '') return 'published'
  return issuer !== '' && keys !== '' ? 'typed' : 'plain'
}
