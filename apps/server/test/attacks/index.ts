/**
 * The attack tests: `npm run test:attacks`. Every file `*.test.ts` of this folder attacks one kind of thing
 * and reports how many cases it ran. The command prints the counts and fails when one is below the floors in
 * this file.
 *
 * To add a file:
 *   1. Write `<kind>.test.ts`. It makes its cases (a table, or a generator with a printed seed), sends each to the real
 *      relay (`openRelayHarness`) or the real application (`startTestServer`), and expects the clean refusal or the right
 *      charge. Take only every `stride()`-th case, so that `npm test` runs a short form of the same cases.
 *   2. At its end call `reportAttacks({ kind, count })` with the number of cases that really ran. Where every instance must
 *      be attacked (every pattern, every guarded route), also pass `of`: the long form fails when `count` is below it.
 *   3. Add the kind to `floors`.
 *   4. Add every guard whose removal your cases must detect to a list of mutations that `mutations.ts` imports:
 *      `npm run test:attacks -- --mutate [word of the guard]`.
 */
import { appendFileSync } from 'node:fs'
import process from 'node:process'

/** Minimum number of cases of each kind in the long form. */
export const floors: Readonly<Record<string, number>> = {
  bodies: 200,
  'large bodies': 20,
  frames: 6,
  'parallel answers': 1200,
  'revoked sockets': 38,
  'half frames': 300,
  'many sockets': 17_000,
  members: 60,
  'slow senders': 25,
  patterns: 1,
  scans: 1000,
  spellings: 300,
  'credential routes': 80,
  'channel writes': 90,
  guesses: 300,
  entry: 250,
}

export interface AttackReport {
  readonly kind: string
  /** Number of cases that ran. */
  readonly count: number
  /** Number of cases that exist, for kinds where all of them must run. */
  readonly of?: number
}

const isLong = process.env['TOLLGATE_ATTACKS'] === 'long'

/** The short form runs only every `short`-th case. */
export function stride(short = 4): number {
  return isLong ? 1 : short
}

/** The cases that run in this form; always includes the first and the last one. */
export function chosen<Case>(cases: readonly Case[], short = 4): readonly Case[] {
  return cases.filter((_each, index) => index % stride(short) === 0 || index === cases.length - 1)
}

/** Reports the counts to the `test:attacks` command when it started this process. */
export function reportAttacks(report: AttackReport): void {
  const path = process.env['TOLLGATE_ATTACKS_REPORT']
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(report)}\n`)
}
