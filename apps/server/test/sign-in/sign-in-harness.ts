import type { OAuthProviderName } from '@tollgate/contract/oauth'
import type { OptionKey } from '@tollgate/contract/options/index'
import { routes } from '@tollgate/contract/routes'
import { type SignInAddresses, signInAddresses } from '../../src/services/oauth/addresses.ts'
import type { TestServer, Visitor } from '../harness.ts'

/**
 * The providers' real addresses, with unreachable ones where a test would call them; `changes` sets the
 * addresses of fake providers.
 */
export function addressesWith(changes: Partial<SignInAddresses>): SignInAddresses {
  const nowhere = 'http://127.0.0.1:1'
  return {
    github: { ...signInAddresses.github, token: nowhere, api: nowhere },
    linuxdo: { ...signInAddresses.linuxdo, token: nowhere, profile: nowhere },
    turnstile: nowhere,
    ...changes,
  }
}

export async function setOptions(
  { root }: TestServer,
  values: Partial<Record<OptionKey, string>>,
): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await root.call(routes.option.update, { body: { key, value } })
}

export interface SignInState {
  readonly state: string
  readonly authorizeUrl: string
}

/** Requests a state and the authorize URL, as the console does. */
export async function begin(who: Visitor, provider: OAuthProviderName, aff?: string): Promise<SignInState> {
  const query = { provider, ...(aff !== undefined && { aff }) }
  const { data, extra } = await who.callWhole(routes.oauth.state, { query })
  return { state: data, authorizeUrl: String(extra['authorize_url']) }
}

/**
 * Forwards the query that the provider added to the callback address, as the console's callback page does,
 * and remembers who signed in.
 */
export async function comeBack(
  who: Visitor,
  provider: OAuthProviderName,
  query: Readonly<Record<string, string>>,
) {
  const answer = await who.callWhole(routes.oauth[provider], { query })
  if (answer.data) who.id = answer.data.id
  return answer
}

export function userRow(gateway: TestServer, id: number) {
  return gateway.server.store.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export async function countUsers(gateway: TestServer): Promise<number> {
  const rows = await gateway.server.store.db.selectFrom('users').select('id').execute()
  return rows.length
}
