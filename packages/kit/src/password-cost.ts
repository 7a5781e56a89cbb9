/**
 * The largest cost of a password hash that is checked. Every sign-in attempt pays what the hash names, also that
 * of a stranger who only knows the user's name.
 */
export const PASSWORD_COST_MAX = {
  /** 64 MiB. */
  argon2MemoryKiB: 65_536,
  argon2Passes: 4,
  argon2Lanes: 16,
  /** The exponent of bcrypt; 14 takes about a second. */
  bcryptRounds: 14,
} as const

const ARGON2 = /^\$argon2\w+\$v=\d+\$m=(\d+),t=(\d+),p=(\d+)\$/
const BCRYPT = /^\$2[aby]\$(\d\d)\$/

export function isCostlyPassword(hash: string): boolean {
  const [, memory = 0, passes = 0, lanes = 0] = ARGON2.exec(hash) ?? []
  const [, rounds = 0] = BCRYPT.exec(hash) ?? []
  return (
    Number(memory) > PASSWORD_COST_MAX.argon2MemoryKiB ||
    Number(passes) > PASSWORD_COST_MAX.argon2Passes ||
    Number(lanes) > PASSWORD_COST_MAX.argon2Lanes ||
    Number(rounds) > PASSWORD_COST_MAX.bcryptRounds
  )
}
