import type { Clock } from '@tollgate/kit/clock'
import { MailFailure } from './failure.ts'
import type { Mailer } from './mailer.ts'

/**
 * Whether mail can be sent now. The server is asked to let us in, and no mail is sent: what became of mails must not decide,
 * because a link for a new password goes only to addresses that an account has, and its failure would tell which those are.
 */
export interface MailHealth {
  /** Never rejects. Asks at most once in a while, however many want to know. */
  isWorking(): Promise<boolean>
}

export interface MailHealthParts {
  readonly room: Pick<Mailer, 'tryServer'>
  readonly clock: Clock
  /** Changes with the settings, whose new server is asked at once. */
  readonly settingsKey: () => string
  readonly log: { error(details: Readonly<Record<string, unknown>>, message: string): void }
}

/** A server that works is believed for longer than one that does not: nobody should wait for one that is back. */
const BELIEVED_MS = { working: 60_000, failing: 10_000 } as const

interface Finding {
  readonly settingsKey: string
  readonly state: Promise<keyof typeof BELIEVED_MS>
  /** While the server is asked. */
  endsMs: number
}

export function openMailHealth(parts: MailHealthParts): MailHealth {
  const { clock } = parts
  let last: Finding | undefined
  return {
    isWorking: async () => {
      const settingsKey = parts.settingsKey()
      if (last?.settingsKey !== settingsKey || last.endsMs <= clock.monotonicMs()) {
        const finding: Finding = {
          settingsKey,
          endsMs: Number.POSITIVE_INFINITY,
          state: ask(parts).then((state) => {
            finding.endsMs = clock.monotonicMs() + BELIEVED_MS[state]
            return state
          }),
        }
        last = finding
      }
      return (await last.state) === 'working'
    },
  }
}

async function ask({ room, log }: MailHealthParts): Promise<keyof typeof BELIEVED_MS> {
  try {
    await room.tryServer()
    return 'working'
  } catch (error) {
    const reason = error instanceof MailFailure ? error.message : 'an internal error'
    log.error({ error, reason }, 'mail server cannot be used; requests for mail are refused meanwhile')
    return 'failing'
  }
}
