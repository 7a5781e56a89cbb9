import type { Clock } from '@tollgate/kit/clock'
import { MailFailure } from './failure.ts'
import type { Mailer } from './mailer.ts'

/**
 * Whether mail can be sent now. The check signs in to the mail server and sends nothing. The outcome of real
 * emails must not count: a reset link is sent only to addresses that have an account, so its failure would
 * reveal which addresses do.
 */
export interface MailHealth {
  /** Never rejects. Concurrent callers share one check, and its result is cached for a while. */
  isWorking(): Promise<boolean>
}

export interface MailHealthParts {
  readonly room: Pick<Mailer, 'tryServer'>
  readonly clock: Clock
  /** Changes with the mail settings; a new value triggers a new check. */
  readonly settingsKey: () => string
  readonly log: { error(details: Readonly<Record<string, unknown>>, message: string): void }
}

/** Success is cached longer than failure, so that nobody has to wait long for a server that is back. */
const BELIEVED_MS = { working: 60_000, failing: 10_000 } as const

interface Finding {
  readonly settingsKey: string
  readonly state: Promise<keyof typeof BELIEVED_MS>
  /** When the cached result expires; infinite while the check is running. */
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
    log.error(
      { error, reason },
      'cannot use the mail server; requests that need an email are refused until it works',
    )
    return 'failing'
  }
}
