import type { FormRule } from 'antd'
import { useAccountChecks } from './account-checks.ts'

/**
 * Checks of a new password, as rules for forms of the component library. The field must be called `password`.
 */
export function useAccountRules(): Readonly<Record<'password' | 'again', FormRule[]>> {
  const checks = useAccountChecks()
  return {
    password: [
      { required: true, validator: (_rule, value: unknown) => judged(checks.password(textOf(value))) },
    ],
    again: [
      ({ getFieldValue }) => ({
        validator: (_rule, value: unknown) =>
          judged(checks.again(textOf(value), { password: textOf(getFieldValue('password')) })),
      }),
    ],
  }
}

const judged = (wrong: string | undefined): Promise<void> =>
  wrong === undefined ? Promise.resolve() : Promise.reject(new Error(wrong))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
