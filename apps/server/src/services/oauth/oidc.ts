import { problem } from '@tollgate/problems/problem'
import * as client from 'openid-client'
import { z } from 'zod'
import { type OAuthProvider, type Person, type Tokens, readProtected } from './oauth-provider.ts'
import { discoverIssuer } from './discovery.ts'
import { providers } from './enabled-providers.ts'
import { type OidcSettings, oidcMode, readOidcSettings } from './oidc-settings.ts'
import type { OAuthServices } from './services.ts'
import { plainIssuer, typedIssuer } from './typed-issuer.ts'

const KEPT_MS = 600_000
const SUBJECT_CHARACTERS_MAX = 255
const idSchema = z.union([z.string(), z.int().positive().transform(String)])

/** Issuers differ in which claims they put into the token and which into the userinfo response. */
const claimsSchema = z.object({
  email: z.string().optional().catch(undefined),
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
})

/**
 * Any OIDC issuer, configured by its discovery document or by the operator. The issuer is part of each
 * identity, and every identity token is checked for it.
 */
export function oidcProvider(services: OAuthServices): OAuthProvider {
  const { options } = services
  const configure = keptConfiguration(services)
  const isPlain = () => oidcMode(readOidcSettings(options)) === 'plain'
  return {
    name: 'oidc',
    scope: 'openid profile email',
    hasProofKey: true,
    get hasIdToken() {
      return !isPlain()
    },
    configure,
    identify: async (config, tokens) =>
      isPlain() ? personByProfile(config, tokens) : personOf(config, tokens),
  }
}

/** Cached for ten minutes; a changed setting invalidates it at once. */
function keptConfiguration({ options, egress, clock }: OAuthServices): () => Promise<client.Configuration> {
  let kept: { key: string; endsMs: number; config: client.Configuration } | undefined
  return async () => {
    const settings = readOidcSettings(options)
    const key = JSON.stringify(settings)
    if (kept?.key === key && kept.endsMs > clock.nowMs()) return kept.config
    const config = await configurationFor(egress, settings)
    kept = { key, endsMs: clock.nowMs() + KEPT_MS, config }
    return config
  }
}

async function configurationFor(
  egress: OAuthServices['egress'],
  settings: OidcSettings,
): Promise<client.Configuration> {
  const mode = oidcMode(settings)
  if (mode === 'typed') return typedIssuer(egress, settings)
  if (mode === 'plain') return plainIssuer(egress, settings)
  const { wellKnown, clientId, clientSecret, authorize, token, userInfo } = settings
  const overrides = {
    authorization_endpoint: authorize,
    token_endpoint: token,
    userinfo_endpoint: userInfo,
  }
  return discoverIssuer(egress, { wellKnown, clientId, clientSecret, overrides })
}

async function personOf(config: client.Configuration, tokens: Tokens): Promise<Person> {
  const { iss = '', sub = '' } = tokens.claims() ?? {}
  if (sub === '' || sub.length > SUBJECT_CHARACTERS_MAX)
    throw problem('door_profile_unusable', { provider: providers.oidc.label })
  const { userinfo_endpoint } = config.serverMetadata()
  const reported = userinfo_endpoint ? await client.fetchUserInfo(config, tokens.access_token, sub) : {}
  const claims = claimsSchema.parse({ ...tokens.claims(), ...reported })
  return personWith({ issuer: iss, subject: sub }, claims)
}

/** The provider never assigns this id to another person, unlike names and email addresses. */
const profileSchema = z
  .looseObject({ sub: idSchema.optional(), id: idSchema.optional() })
  .transform(({ sub, id, ...rest }) => ({ subject: sub ?? id ?? '', rest }))

/**
 * Identifies the person by the profile that the access token gives access to. The token came directly from
 * the provider in exchange for the code.
 */
async function personByProfile(config: client.Configuration, tokens: Tokens): Promise<Person> {
  const { issuer, userinfo_endpoint: address = '' } = config.serverMetadata()
  const profile = profileSchema.safeParse(await readProtected(config, tokens, address))
  const subject = profile.data?.subject ?? ''
  if (subject === '' || subject.length > SUBJECT_CHARACTERS_MAX)
    throw problem('door_profile_unusable', { provider: providers.oidc.label })
  return personWith({ issuer, subject }, claimsSchema.parse(profile.data?.rest))
}

function personWith(
  { issuer, subject }: { issuer: string; subject: string },
  claims: z.output<typeof claimsSchema>,
): Person {
  return {
    identity: { provider: 'oidc', issuer, subject, formerSubjects: [subject] },
    displayName: claims.name || 'OIDC User',
    wishedName: claims.preferred_username,
    email: (claims.email_verified && claims.email) || undefined,
  }
}
