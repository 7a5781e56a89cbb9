import type { OAuthProviderName } from '@tollgate/contract/oauth'
import { randomToken, sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { insertOAuthState, takeOAuthState } from '@tollgate/store/accounts/oauth-states'
import type { Browser } from '../handler.ts'
import type { SignInState, OAuthProvider } from './oauth-provider.ts'
import type { OAuthServices } from './services.ts'

const LIFETIME_MS = 600_000

/** What a sign-in through a provider was started for. */
export interface Purpose {
  /** The user to bind the identity to; 0 to sign in. */
  readonly userId: number
  readonly affCode: string
}

/**
 * Creates a state that is bound to this browser, the provider and the purpose. `door` is `undefined` for
 * consoles that do not name the provider.
 */
export async function beginState(
  { store, clock, cipher }: OAuthServices,
  input: Purpose & { provider: OAuthProvider | undefined; browser: Browser },
): Promise<SignInState> {
  const { provider, browser } = input
  const state = randomToken()
  const stateHash = sha256Hex(state)
  const verifier = provider?.hasProofKey ? randomToken() : ''
  const nonce = provider?.hasIdToken ? randomToken() : ''
  await insertOAuthState(store, {
    state_hash: stateHash,
    browser_hash: sha256Hex(browser.mark(LIFETIME_MS)),
    provider: provider?.name ?? '',
    user_id: input.userId,
    verifier_sealed: verifier && cipher.encrypt(verifier, sealContext(stateHash)),
    nonce,
    aff_code: input.affCode,
    expires_ms: clock.nowMs() + LIFETIME_MS,
  })
  return { state, verifier, nonce }
}

/** Consumes a state. A second use, another browser, another provider or another user is refused. */
export async function endState(
  { store, clock, cipher }: OAuthServices,
  input: { state: string; provider: OAuthProviderName; browser: Browser; actorId: number },
): Promise<Purpose & { begun: SignInState }> {
  const { known } = input.browser
  if (input.state === '' || known === undefined) throw problem('oauth_state_refused')
  const stateHash = sha256Hex(input.state)
  const row = await takeOAuthState(store, {
    stateHash,
    browserHash: sha256Hex(known),
    nowMs: clock.nowMs(),
  })
  const isOurs = row && ['', input.provider].includes(row.provider) && row.user_id === input.actorId
  if (!isOurs) throw problem('oauth_state_refused')
  const verifier = row.verifier_sealed && cipher.decrypt(row.verifier_sealed, sealContext(stateHash))
  return {
    userId: row.user_id,
    affCode: row.aff_code,
    begun: { state: input.state, verifier, nonce: row.nonce },
  }
}

function sealContext(stateHash: string): string {
  return `oauth-state:${stateHash}`
}
