import { problem } from '@tollgate/problems/problem'
import { type Argon2Cost, argon2Mark, hashArgon2, verifyArgon2 } from './argon2.ts'
import { isBcrypt, verifyBcrypt } from './bcrypt.ts'

/** Hashes and verifies passwords, a few at a time, because each takes 19 MiB and a CPU core. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Takes as long for an unknown user (`stored` undefined) or one without a password as for a wrong password.
   */
  verify(password: string, stored: string | undefined): Promise<Verification>
}

export interface Verification {
  readonly isRight: boolean
  /** The stored hash uses an old algorithm or cost; hash the password again while it is known. */
  readonly isOutdated: boolean
}

/** OWASP's first recommendation for Argon2id. */
const COST: Argon2Cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const PARALLEL_MAX = 2
const WAITING_MAX = 64
const WRONG: Verification = { isRight: false, isOutdated: false }

/** Tests that are about something else pass a lower cost. */
export function openPasswords(cost: Argon2Cost = COST): Passwords {
  const inTurn = turnstile(PARALLEL_MAX, WAITING_MAX)
  const costMark = argon2Mark(cost)
  const nobody = hashArgon2('nobody has this password', cost)
  return {
    hash: (password) => inTurn(() => hashArgon2(password, cost)),
    verify: async (password, stored) => {
      const isReal = stored !== undefined && stored !== ''
      const against = isReal ? stored : await nobody
      const verdict = await inTurn(() => verifyAgainst({ password, stored: against, costMark }))
      return isReal ? verdict : WRONG
    },
  }
}

async function verifyAgainst({
  password,
  stored,
  costMark,
}: Readonly<Record<'password' | 'stored' | 'costMark', string>>): Promise<Verification> {
  if (isBcrypt(stored)) return { isRight: await verifyBcrypt(password, stored), isOutdated: true }
  if (!stored.startsWith('$argon2')) return WRONG
  return { isRight: await verifyArgon2(password, stored), isOutdated: !stored.startsWith(costMark) }
}

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Runs at most `parallel` operations at once and queues at most `waiting`; further calls are refused. */
function turnstile(parallel: number, waiting: number): InTurn {
  let busy = 0
  const line: (() => void)[] = []
  return async (work) => {
    if (busy >= parallel) {
      if (line.length >= waiting) throw problem('too_many_requests', { seconds: 5 })
      await new Promise<void>((resolve) => line.push(resolve))
    } else busy++
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else busy--
    }
  }
}
