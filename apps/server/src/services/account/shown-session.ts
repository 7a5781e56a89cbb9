import { sha256Hex } from '@tollgate/kit/ids'

const SHOWN_CHARACTERS = 16

/** A public name for a session; neither its id nor the stored hash can be derived from it. */
export function shownSession(idHash: string): string {
  return sha256Hex(`shown:${idHash}`).slice(0, SHOWN_CHARACTERS)
}
