import type { FormRule } from 'antd'
import { useAccountChecks } from './account-checks.ts'

/** The checks of a new password, as rules of the component library's forms. Its field is called `password`. */
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
