import { sha256Hex } from '@tollgate/kit/ids'

const SHOWN_CHARACTERS = 16

/** Names a session to people; neither the id nor the stored hash can be told from it. */
export function shownSession(idHash: string): string {
  return sha256Hex(`shown:${idHash}`).slice(0, SHOWN_CHARACTERS)
}
