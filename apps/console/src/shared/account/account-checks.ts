import {
  characters,
  emailSchema,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  USERNAME_CHARACTERS_MAX,
  usernameSchema,
} from '@tollgate/contract/account-rules'
import { accountRuleMessages } from './account-rule-messages.ts'

export const usernameLimits = { max: USERNAME_CHARACTERS_MAX }
export const passwordLimits = { min: PASSWORD_CHARACTERS_MIN, max: PASSWORD_CHARACTERS_MAX }

/**
 * Checks of account fields by the server's rules. A check returns an error text in the reader's language, or
 * `undefined` if the value is accepted.
 */
export function useAccountChecks() {
  const t = accountRuleMessages.use()
  return {
    username: (text: string) => {
      if (text.trim() === '') return t('usernameMissing')
      return usernameSchema.safeParse(text).success ? undefined : t('usernameForm', usernameLimits)
    },
    password: (text: string) => {
      if (text === '') return t('passwordMissing')
      if (characters(text) < passwordLimits.min) return t('passwordShort', passwordLimits)
      return characters(text) > passwordLimits.max ? t('passwordLong', passwordLimits) : undefined
    },
    /** Checks the repeated password. */
    again: (text: string, { password }: { readonly password: string }) =>
      text === password ? undefined : t('passwordsDiffer'),
    email: (text: string) => {
      if (text.trim() === '') return t('emailMissing')
      return emailSchema.safeParse(text).success ? undefined : t('emailForm')
    },
    code: (text: string) => (text.trim() === '' ? t('codeMissing') : undefined),
  }
}
