import { randomAlphanumeric } from '@tollgate/kit/ids'

/** The environment variable that names the test run which a process belongs to. */
export const TEST_RUN = 'TOLLGATE_TEST_RUN'

export const DATABASE_PREFIX = 'tollgate_test_'

/** A name for a test run that begins now. */
export function newRun(): string {
  return `${secondsNow().toString(36)}_${randomPart(4)}`
}

/** An unused database name. It tells which test run the database belongs to, if any. */
export function newName(): string {
  const run = process.env[TEST_RUN]
  return `${DATABASE_PREFIX}${run === undefined ? '' : `${run}_`}${randomPart(10)}`
}

export function isOfRun(name: string, run: string): boolean {
  return name.startsWith(`${DATABASE_PREFIX}${run}_`)
}

/** Whether the database is of a test run that began `seconds` ago or earlier. */
export function isOfRunBefore(name: string, seconds: number): boolean {
  const began = /^tollgate_test_([0-9a-z]+)_[0-9a-z]+_[0-9a-z]+$/.exec(name)?.[1]
  return began !== undefined && Number.parseInt(began, 36) <= secondsNow() - seconds
}

const secondsNow = (): number => Math.floor(Date.now() / 1000)

const randomPart = (length: number): string => randomAlphanumeric(length).toLowerCase()
