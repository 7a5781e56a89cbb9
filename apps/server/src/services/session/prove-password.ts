import { problem } from '@tollgate/kit/problem'
import type { SessionServices } from './services.ts'
import type { Verification } from './passwords.ts'

/**
 * Proves a password, counting failures by account: an account that is guessed at from many addresses is closed to
 * further guesses for a while. `account` is a name as typed, so that unknown ones count too and tell nothing.
 */
export async function provePassword(
  { passwords, accountFailures }: SessionServices,
  input: { account: string; password: string; stored: string | undefined },
): Promise<Verification> {
  const key = input.account.normalize('NFKC').trim().toLowerCase()
  const decision = await accountFailures.consume(key)
  if (!decision.allowed)
    throw problem('too_many_requests', { seconds: Math.max(1, Math.ceil(decision.retryAfterMs / 1000)) })
  const verification = await passwords.verify(input.password, input.stored)
  if (verification.isRight) await accountFailures.refund(key)
  return verification
}
