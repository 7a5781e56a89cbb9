import { problem } from '@tollgate/kit/problem'
import * as client from 'openid-client'
import { z } from 'zod'
import type { CodeDoor, Tokens } from './code-door.ts'
import { discoverIssuer } from './discovery.ts'
import { doors } from './doors.ts'
import type { Person } from './person.ts'
import type { OAuthServices } from './services.ts'

const KEPT_MS = 600_000
const SUBJECT_CHARACTERS_MAX = 255

/** Issuers differ in what they put into the token and what they tell when asked. */
const claimsSchema = z.object({
  email: z.string().optional().catch(undefined),
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .optional()
    .catch(undefined),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
})

/** Any issuer that publishes a well-known document. Its name is part of an identity, and every token is checked for it. */
export function oidcDoor(services: OAuthServices): CodeDoor {
  const configure = keptConfiguration(services)
  return {
    name: 'oidc',
    scope: 'openid profile email',
    hasProofKey: true,
    hasIdToken: true,
    configure,
    identify: async (config, tokens) => personOf(config, tokens),
  }
}

/** Read again every ten minutes, and as soon as a setting changes. */
function keptConfiguration({ options, egress, clock }: OAuthServices): () => Promise<client.Configuration> {
  let kept: { key: string; endsMs: number; config: client.Configuration } | undefined
  return async () => {
    const settings = {
      wellKnown: options.get('oidc.well_known'),
      clientId: options.get('oidc.client_id'),
      clientSecret: options.get('oidc.client_secret'),
      overrides: {
        authorization_endpoint: options.get('oidc.authorization_endpoint'),
        token_endpoint: options.get('oidc.token_endpoint'),
        userinfo_endpoint: options.get('oidc.user_info_endpoint'),
      },
    }
    const key = JSON.stringify(settings)
    if (kept?.key === key && kept.endsMs > clock.nowMs()) return kept.config
    const config = await discoverIssuer(egress, settings)
    kept = { key, endsMs: clock.nowMs() + KEPT_MS, config }
    return config
  }
}

async function personOf(config: client.Configuration, tokens: Tokens): Promise<Person> {
  const { iss = '', sub = '' } = tokens.claims() ?? {}
  if (sub === '' || sub.length > SUBJECT_CHARACTERS_MAX)
    throw problem('door_profile_unusable', { door: doors.oidc.label })
  const { userinfo_endpoint } = config.serverMetadata()
  const told = userinfo_endpoint ? await client.fetchUserInfo(config, tokens.access_token, sub) : {}
  const claims = claimsSchema.parse({ ...tokens.claims(), ...told })
  return {
    identity: { provider: 'oidc', issuer: iss, subject: sub, formerSubjects: [sub] },
    displayName: claims.name || 'OIDC User',
    ...(claims.preferred_username && { wishedName: claims.preferred_username }),
    ...(claims.email && claims.email_verified === true && { email: claims.email }),
  }
}
