import type { Verification } from './passwords.ts'
import type { GuessClaim } from './password-guesses.ts'
import type { SessionServices } from './services.ts'

export interface PasswordClaim extends GuessClaim {
  readonly password: string
  readonly stored: string | undefined
}

/** Proves a password, unless too many wrong ones came before: see `password-guesses.ts`. */
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
  // A sign-in notes its network itself, when the account may sign in.
  if (isSignedIn && userId !== undefined) await networks.add(userId, address)
  return verification
}
