import { emailSchema } from '@tollgate/contract/account-rules'
import { problem } from '@tollgate/problems/problem'
import type { Options } from './services.ts'

/** Validates and normalises an email address. */
export function readEmail(text: string): string {
  const parsed = emailSchema.safeParse(text)
  if (!parsed.success) throw problem('email_invalid')
  return parsed.data
}

/** The same, and the address must be acceptable for an account on this site. */
export function readAccountEmail(options: Options, text: string): string {
  const email = readEmail(text)
  const [local = '', domain = ''] = email.split('@')
  if (options.get('EmailDomainRestrictionEnabled') && !options.get('EmailDomainWhitelist').includes(domain))
    throw problem('email_domain_refused')
  if (options.get('EmailAliasRestrictionEnabled') && /[+.]/.test(local)) throw problem('email_alias_refused')
  return email
}
