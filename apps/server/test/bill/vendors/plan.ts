import type { VendorName, VendorWork } from './rules.ts'

/**
 * Moments at which a vendor waits until its caller has left: before it has read the request, before its head, after
 * its head, in the middle, before the usage, before the last byte.
 */
export const moments = ['unread', 'read', 'head', 'middle', 'usage', 'last'] as const
export type Moment = (typeof moments)[number]

/** What the vendor does with the requests of one call. */
export interface VendorPlan {
  readonly vendor: VendorName
  readonly isStream: boolean
  readonly work: VendorWork
  /** Requests that it refuses with 503 before it answers. */
  readonly refusals: number
  /** It fails after it has worked, and bills nothing: a 500 for the whole, or never a byte. */
  readonly isFailing: boolean
  readonly leaveAt: Moment | undefined
  /** A whole answer that was written before, and what the vendor bills for it. */
  readonly fixed?: { readonly answer: Readonly<Record<string, unknown>>; readonly units: bigint }
}
