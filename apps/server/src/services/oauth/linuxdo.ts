import { problem } from '@tollgate/problems/problem'
import * as client from 'openid-client'
import { z } from 'zod'
import { type OAuthProvider, readProtected } from './oauth-provider.ts'
import { providers } from './enabled-providers.ts'
import type { OAuthServices } from './services.ts'
import { configurationOf } from './configuration.ts'
import { egressFetch } from './egress-fetch.ts'

const profileSchema = z.object({
  id: z.int().positive(),
  name: z.string().nullish(),
  active: z.boolean().optional(),
  silenced: z.boolean().optional(),
  trust_level: z.number().optional(),
})
type Profile = z.output<typeof profileSchema>

/** Linux DO offers neither a discovery document nor PKCE: only the state binds the code to the browser. */
export function linuxdoProvider(services: OAuthServices): OAuthProvider {
  const { options, egress, signInAddresses } = services
  const { issuer, authorize, token, profile: profileAddress } = signInAddresses.linuxdo
  const server = { issuer, authorization_endpoint: authorize, token_endpoint: token }
  const provider = providers.linuxdo.label
  return {
    name: 'linuxdo',
    scope: 'user',
    hasProofKey: false,
    hasIdToken: false,
    configure: async () =>
      configurationOf(server, {
        clientId: options.get('LinuxDOClientId'),
        authentication: asWritten(options.get('LinuxDOClientSecret')),
        fetch: egressFetch(egress),
      }),
    identify: async (config, tokens) => {
      const profile = profileSchema.safeParse(await readProtected(config, tokens, profileAddress))
      if (!profile.success) throw problem('door_profile_unusable', { provider })
      if (isRestricted(profile.data, options.get('LinuxDOMinimumTrustLevel')))
        throw problem('door_account_restricted', { provider })
      const subject = String(profile.data.id)
      return {
        identity: { provider: 'linuxdo', issuer: '', subject, formerSubjects: [subject] },
        displayName: profile.data.name || 'Linux DO User',
      }
    },
  }
}

/**
 * Basic credentials without the percent-encoding that the standard requires (and the library applies, even to
 * hyphens), because new-api has always sent them unencoded to this provider.
 */
function asWritten(secret: string): client.ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`)
  }
}

/** Accounts that the forum itself has restricted are refused here too. */
function isRestricted({ active, silenced, trust_level }: Profile, trustLevelMin: number): boolean {
  return active === false || silenced === true || (trust_level ?? 0) < trustLevelMin
}
