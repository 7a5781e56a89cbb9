import type { JsonObject } from '../json.ts'

/**
 * A seal is a signature or encrypted reasoning that only the account which wrote it can read. Each wire format
 * has its own places for seals.
 */
export interface SealFormat {
  /** Calls `visit` with each seal, in the order of the conversation. */
  visit(body: JsonObject, visit: (seal: string) => void): void
  /**
   * Takes the seals out for which `isRemoved` holds, together with what is refused without them. The body stays
   * the same object where there is none.
   */
  remove(body: JsonObject, isRemoved: SealTest): JsonObject
}

export type SealTest = (seal: string) => boolean
