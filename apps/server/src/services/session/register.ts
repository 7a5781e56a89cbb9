import {
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  USERNAME_CHARACTERS_MAX,
  passwordSchema,
  usernameSchema,
} from '@tollgate/contract/account-rules'
import type { sessionRoutes } from '@tollgate/contract/session'
import { problem } from '@tollgate/problems/problem'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import { isEmailTaken, isUsernameTaken } from '@tollgate/store/accounts/users'
import type { Handler } from '../handler.ts'
import type { OneTimeCodes } from '../mail/codes.ts'
import { readAccountEmail } from '../read-email.ts'
import { createAccount } from './create-account.ts'
import { makeDefaultToken } from './default-token.ts'
import type { SessionServices } from './services.ts'

export interface RegisterServices extends SessionServices {
  readonly codes: OneTimeCodes
}

/** Creates an account; the user signs in afterwards. */
export function register(services: RegisterServices): Handler<typeof sessionRoutes.register> {
  const { store, options, passwords } = services
  return async ({ body }) => {
    if (!options.get('RegisterEnabled')) throw problem('registration_closed')
    if (!options.get('PasswordRegisterEnabled')) throw problem('password_registration_closed')
    const username = readUsername(body.username)
    requirePassword(body.password)
    const { password, password2 = password } = body
    if (password2 !== password) throw problem('passwords_differ')
    const email = await provenEmail(services, { ...body, username })
    const id = await createAccount(services, {
      username,
      displayName: username,
      passwordHash: await passwords.hash(body.password),
      affCode: body.aff_code,
      email,
    }).catch(async (error: unknown) => {
      const isTaken = email !== undefined && isUniqueViolation(error) && (await isEmailTaken(store, email))
      throw isTaken ? problem('email_taken', {}, { cause: error }) : error
    })
    if (services.isDefaultTokenMade) await makeDefaultToken(services, { ownerId: id, username })
    return null
  }
}

/**
 * Returns the address that the user proved with an emailed code, or `undefined` where none is required. The
 * code is consumed last, so that a taken user name does not use it up.
 */
async function provenEmail(
  { store, options, codes }: RegisterServices,
  asked: { username: string; email: string; verification_code: string },
): Promise<string | undefined> {
  if (!options.get('EmailVerificationEnabled')) return undefined
  if (asked.email.trim() === '' || asked.verification_code.trim() === '') throw problem('email_needed')
  const email = readAccountEmail(options, asked.email)
  if (await isUsernameTaken(store, asked.username)) throw problem('username_taken')
  const claim = { purpose: 'register', subject: email, code: asked.verification_code } as const
  if (!(await codes.take(claim))) throw problem('verification_code_wrong')
  return email
}

export function readUsername(text: string): string {
  const parsed = usernameSchema.safeParse(text)
  if (!parsed.success) throw problem('username_invalid', { max: USERNAME_CHARACTERS_MAX })
  return parsed.data
}

export function requirePassword(password: string): void {
  if (passwordSchema.safeParse(password).success) return
  throw problem('password_invalid', { min: PASSWORD_CHARACTERS_MIN, max: PASSWORD_CHARACTERS_MAX })
}
