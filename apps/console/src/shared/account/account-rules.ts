import {
  characters,
  emailSchema,
  PASSWORD_CHARACTERS_MAX,
  PASSWORD_CHARACTERS_MIN,
  USERNAME_CHARACTERS_MAX,
  usernameSchema,
} from '@tollgate/contract/account-rules'
import type { FormItemProps } from 'antd'
import { accountRuleMessages } from './account-rule-messages.ts'

type Rules = NonNullable<FormItemProps['rules']>
type PlainRule = Exclude<Rules[number], (...input: never[]) => unknown>

export const usernameLimits = { max: USERNAME_CHARACTERS_MAX }
export const passwordLimits = { min: PASSWORD_CHARACTERS_MIN, max: PASSWORD_CHARACTERS_MAX }

/** Rules of account forms: those of the server, told at the field where they belong. */
export function useAccountRules() {
  const t = accountRuleMessages.use()
  return {
    username: [
      { required: true, whitespace: true, message: t('usernameMissing') },
      rule((name) => usernameSchema.safeParse(name).success, t('usernameForm', usernameLimits)),
    ],
    password: [
      { required: true, message: t('passwordMissing') },
      rule((text) => characters(text) >= passwordLimits.min, t('passwordShort', passwordLimits)),
      rule((text) => characters(text) <= passwordLimits.max, t('passwordLong', passwordLimits)),
    ],
    email: [
      { required: true, whitespace: true, message: t('emailMissing') },
      rule((text) => emailSchema.safeParse(text).success, t('emailForm')),
    ],
    code: [{ required: true, whitespace: true, message: t('codeMissing') }],
    /** For the second entry of what stands in `field`. */
    repeats: (field: string): Rules => [
      ({ getFieldValue }) => ({
        validator: (_rule, value: unknown) =>
          (value ?? '') === (getFieldValue(field) ?? '')
            ? Promise.resolve()
            : Promise.reject(new Error(t('passwordsDiffer'))),
      }),
    ],
  } satisfies Record<string, Rules | ((field: string) => Rules)>
}

function rule(isGood: (text: string) => boolean, message: string): PlainRule {
  return {
    validator: (_rule, value: unknown) => {
      const text = typeof value === 'string' ? value : ''
      // What is missing is told by another rule.
      return text === '' || isGood(text) ? Promise.resolve() : Promise.reject(new Error(message))
    },
  }
}
