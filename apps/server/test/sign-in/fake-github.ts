import { type TestServer, type TestServerOptions, type Visitor, startTestServer } from '../harness.ts'
import { addressesWith, begin, comeBack, setOptions } from './sign-in-harness.ts'
import { type FakeOAuth, fakeOAuth } from './fake-oauth.ts'

/** A fake GitHub, and a gateway with sign-in through it switched on. */
export interface FakeGitHub {
  readonly github: FakeOAuth
  readonly gateway: TestServer
  /** A GitHub user that the gateway has not seen before. */
  somebody(fields?: Partial<GitHubUser>): GitHubUser
  signIn(who: Visitor, person: GitHubUser, aff?: string): ReturnType<typeof comeBack>
  close(): Promise<void>
}

export interface GitHubUser {
  readonly id: number
  readonly login: string
  readonly name?: string | null
  readonly emails?: readonly { email: string; primary: boolean; verified: boolean }[]
}

const CREDENTIALS = { clientId: 'gh-client', clientSecret: 'canary-github-secret' }

export async function openFakeGitHub(
  options: Omit<TestServerOptions, 'providers'> = {},
): Promise<FakeGitHub> {
  const github = await fakeOAuth({
    ...CREDENTIALS,
    by: 'form',
    profiles: {
      '/user': (person) => ({ ...person, emails: undefined }),
      '/user/emails': (person) => ('emails' in person ? person.emails : []),
    },
  })
  const page = 'https://github.com/login/oauth'
  const { address } = github
  const providers = addressesWith({
    github: { issuer: page, authorize: `${page}/authorize`, token: `${address}/token`, api: address },
  })
  const gateway = await startTestServer({ ...options, providers })
  await setOptions(gateway, {
    ServerAddress: gateway.address,
    GitHubClientId: CREDENTIALS.clientId,
    GitHubClientSecret: CREDENTIALS.clientSecret,
    GitHubOAuthEnabled: 'true',
  })
  let lastId = 583_230
  return {
    github,
    gateway,
    somebody: (fields = {}) => {
      const id = ++lastId
      return { id, login: `octocat${id}`, name: 'The Octocat', ...fields }
    },
    signIn: async (who, person, aff) => {
      const { authorizeUrl } = await begin(who, 'github', aff)
      return comeBack(who, 'github', { ...github.approve(authorizeUrl, person) })
    },
    close: async () => {
      await gateway.close()
      await github.close()
    },
  }
}
