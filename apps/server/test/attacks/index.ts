/**
 * The attack corpus: `npm run test:attacks`. Every file `*.test.ts` of this folder attacks one kind of thing, and reports
 * how much it did. The command prints the counts and fails below the floors of this file.
 *
 * To add a corpus file:
 * 1. Write `<kind>.test.ts`. It makes its cases (a table, or a generator with a printed seed), sends each to the real
 *    relay (`openRelayBench`) or the real application (`startTestServer`), and expects the clean refusal or the right
 *    charge. Take only every `stride()`-th case, so that `npm test` runs a short form of the same cases.
 * 2. At its end call `reportAttacks({ kind, count })` with the number of cases that really ran. Where all of something
 *    must be attacked (every pattern, every guarded route) give `of` too: the long form fails when `count` is below it.
 * 3. Add the kind to `floors`.
 * 4. Add every guard whose removal your cases must notice to a list of mutations that `mutations.ts` knows:
 *    `npm run test:attacks -- --mutate [word of the guard]`.
 */
import { appendFileSync } from 'node:fs'
import process from 'node:process'

/** Fewest cases of each kind in the long form. */
export const floors: Readonly<Record<string, number>> = {
  bodies: 200,
  'large bodies': 20,
  frames: 6,
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
  /** Cases that ran. */
  readonly count: number
  /** Cases there are, where all of them must run. */
  readonly of?: number
}

const isLong = process.env['TOLLGATE_ATTACKS'] === 'long'

/** In the short form only every so manieth case runs. */
export function stride(short = 4): number {
  return isLong ? 1 : short
}

/** The cases that run in this form; the first and the last one always do. */
export function chosen<Case>(cases: readonly Case[], short = 4): readonly Case[] {
  return cases.filter((_each, index) => index % stride(short) === 0 || index === cases.length - 1)
}

/** Tells the command, if it runs us, what was done. */
export function reportAttacks(report: AttackReport): void {
  const path = process.env['TOLLGATE_ATTACKS_REPORT']
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(report)}\n`)
}
