import type { mailRoutes } from '@tollgate/contract/mail'
import type { Language } from '@tollgate/problems/problem'
import { randomToken } from '@tollgate/kit/ids'
import { findUserByEmail } from '@tollgate/store/accounts/users'
import { z } from 'zod'
import type { QueuedMail } from '../../mail/deliver-mail.ts'
import type { Handler } from '../handler.ts'
import { readAccountEmail } from '../read-email.ts'
import { CODE_MINUTES, type CodePurpose } from './codes.ts'
import { bindingSubject, countMail, requireWorkingMail } from './rules.ts'
import type { AccountMail, MailServices } from './services.ts'

/**
 * Requests a code for registration, or for a signed-in user, for binding the address. The outbox checks later
 * whether the address is already in use, so neither the response nor its timing reveals it.
 */
export function requestCode(services: MailServices): Handler<typeof mailRoutes.sendCode> {
  const { options, outbox } = services
  return async ({ query, actor, language }) => {
    const email = readAccountEmail(options, query.email)
    await requireWorkingMail(services)
    await countMail(services, email)
    const payload: CodeRequest = { email, userId: actor?.id ?? 0, language }
    await outbox.add({ cause: `code:${randomToken(16)}`, kind: 'code-request', payload })
    return null
  }
}

const requestSchema = z.object({
  email: z.string(),
  /** The user who wants to bind the address; 0: a visitor who wants to register. */
  userId: z.int(),
  language: z.enum(['en', 'zh']),
})
type CodeRequest = z.output<typeof requestSchema>

/** Sends a code to an unused address. If the address is in use, its owner gets a note instead of a code. */
export async function serveCodeRequest(
  services: AccountMail,
  { cause, payload }: { cause: string; payload: unknown },
): Promise<void> {
  const { email, userId, language } = requestSchema.parse(payload)
  const owner = await findUserByEmail(services.store, email)
  const mail = owner
    ? addressKnown(services, { email, language })
    : await codeMail(services, { email, userId, language })
  await services.outbox.add({ cause: `${cause}:mail`, kind: 'mail', payload: mail })
}

async function codeMail(
  { codes }: AccountMail,
  { email, userId, language }: CodeRequest,
): Promise<QueuedMail> {
  const purpose: CodePurpose = userId === 0 ? 'register' : 'bind'
  const subject = userId === 0 ? email : bindingSubject(userId, email)
  const { code, expiresMs } = await codes.make({ purpose, subject, form: 'typed' })
  const shown = `${code.slice(0, 4)}-${code.slice(4)}`
  return {
    to: email,
    language,
    expiresMs,
    letter: { type: 'verification', code: shown, minutes: CODE_MINUTES },
  }
}

function addressKnown(
  { options }: AccountMail,
  { email, language }: { email: string; language: Language },
): QueuedMail {
  const link = options.get('ServerAddress')
  return { to: email, language, letter: { type: 'address-known', link } }
}
