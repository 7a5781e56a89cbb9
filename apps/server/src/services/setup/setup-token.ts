import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Who may do the first-run setup from elsewhere than the machine itself: whoever can read the log or the environment of the
 * gateway. Without `SETUP_TOKEN` it is derived from the session secret, so that all processes of an installation have the
 * same one, a restart changes nothing, and it is stored nowhere. It ends with the setup, which succeeds once.
 */
export interface SetupToken {
  readonly isRight: (text: string) => boolean
  /** What the log says to whoever is to do the setup; never a token that the operator has chosen. */
  instruction(address: string): string
}

export interface SetupTokenInput {
  readonly chosen: string | undefined
  readonly sessionKey: Buffer
}

const CHARACTERS = 32

export function openSetupToken({ chosen, sessionKey }: SetupTokenInput): SetupToken {
  const digest = (text: string) => createHmac('sha256', sessionKey).update(`setup token ${text}`).digest()
  const token = chosen ?? digest('').toString('hex').slice(0, CHARACTERS)
  return {
    isRight: (text) => timingSafeEqual(digest(text.trim()), digest(token)),
    instruction: (address) =>
      chosen === undefined
        ? `Nobody has set up this gateway yet. Open ${address}/setup#token=${token} (on another machine replace ${address} by the address of the gateway)`
        : `Nobody has set up this gateway yet. Open ${address}/setup with the token from SETUP_TOKEN`,
  }
}
