import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Authorises the first-run setup from another machine: it requires access to the gateway's log or
 * environment. Without `SETUP_TOKEN` the token is derived from the session secret, so that all processes of
 * an installation have the same one, a restart does not change it, and it is stored nowhere. It becomes
 * useless after the setup, which succeeds only once.
 */
export interface SetupToken {
  readonly isRight: (text: string) => boolean
  /**
   * The log line that tells the operator how to do the setup. It never contains a token that the operator
   * chose.
   */
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
