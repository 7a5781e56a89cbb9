import { problem } from '@tollgate/problems/problem'
import * as client from 'openid-client'
import { z } from 'zod'
import { type OAuthProvider, type Person, type Tokens, readProtected } from './oauth-provider.ts'
import { providers } from './enabled-providers.ts'
import type { OAuthServices } from './services.ts'
import { configurationOf } from './configuration.ts'
import { egressFetch } from './egress-fetch.ts'

const profileSchema = z.object({
  id: z.int().positive(),
  login: z.string().min(1),
  name: z.string().nullish(),
})
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/**
 * The identity is the numeric id, because a login name can be changed and then be taken by another person.
 */
export function githubProvider(services: OAuthServices): OAuthProvider {
  const { options, egress, signInAddresses } = services
  const { issuer, authorize, token, api } = signInAddresses.github
  const server = { issuer, authorization_endpoint: authorize, token_endpoint: token }
  return {
    name: 'github',
    scope: 'user:email',
    hasProofKey: true,
    hasIdToken: false,
    configure: async () =>
      configurationOf(server, {
        clientId: options.get('GitHubClientId'),
        authentication: client.ClientSecretPost(options.get('GitHubClientSecret')),
        fetch: egressFetch(egress),
      }),
    identify: async (config, tokens) => {
      const profile = profileSchema.safeParse(await readProtected(config, tokens, `${api}/user`))
      if (!profile.success) throw problem('door_profile_unusable', { provider: providers.github.label })
      const email = await verifiedEmail(config, tokens, `${api}/user/emails`)
      return personOf(profile.data, email)
    },
  }
}

function personOf({ id, login, name }: z.output<typeof profileSchema>, email: string | undefined): Person {
  return {
    identity: { provider: 'github', issuer: '', subject: String(id), formerSubjects: formerNames(login) },
    displayName: name || 'GitHub User',
    email,
  }
}

/**
 * Imported databases may contain the login name instead of the id. A login name that consists of digits could
 * be another person's id, so it is not used.
 */
function formerNames(login: string): readonly string[] {
  return /^\d+$/.test(login) ? [] : [login]
}

/** Optional: people who keep their addresses private sign in without one. */
async function verifiedEmail(
  config: client.Configuration,
  tokens: Tokens,
  address: string,
): Promise<string | undefined> {
  const answer = await readProtected(config, tokens, address).catch(() => undefined)
  const { data = [] } = emailsSchema.safeParse(answer)
  return data.find(({ primary, verified }) => primary && verified)?.email
}
