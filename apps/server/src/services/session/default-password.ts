import { DEFAULT_PASSWORD } from '@tollgate/contract/account-rules'

/** The default password is shorter than the minimum length, so only an imported account can have it. */
export function isDefaultPassword(password: string): boolean {
  return password === DEFAULT_PASSWORD
}
