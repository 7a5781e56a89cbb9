import { DEFAULT_PASSWORD } from '@tollgate/contract/account-rules'

/** It is shorter than a password may be, so only an imported account can have it. */
export function isDefaultPassword(password: string): boolean {
  return password === DEFAULT_PASSWORD
}
