import type { Verification } from './passwords.ts'
import type { AttemptClaim } from './password-attempts.ts'
import type { SessionServices } from './services.ts'

export interface PasswordClaim extends AttemptClaim {
  readonly password: string
  readonly stored: string | undefined
}

/** Verifies a password unless too many wrong attempts came before; see `password-guesses.ts`. */
export async function provePassword(
  { passwords, guesses, networks }: Pick<SessionServices, 'passwords' | 'guesses' | 'networks'>,
  claim: PasswordClaim,
): Promise<Verification> {
  const { userId, address, isSignedIn, password, stored } = claim
  const guess = await guesses.begin(claim)
  const verification = await passwords.verify(password, stored).catch(async (error: unknown) => {
    await guess.takeBack()
    throw error
  })
  if (!verification.isRight) return verification
  await guess.succeed()
  // At sign-in the network is recorded later, once it is clear that the account may sign in.
  if (isSignedIn && userId !== undefined) await networks.add(userId, address)
  return verification
}
