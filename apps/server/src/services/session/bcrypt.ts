import { Worker } from 'node:worker_threads'
import { isCostlyPassword } from '@tollgate/kit/password-cost'

/** Hashes stored by new-api and its forks. */
const BCRYPT = /^\$2[aby]\$(?:0[4-9]|[1-3]\d)\$/

/** Whether the hash is one of bcrypt that can be checked at a reasonable cost. */
export function isBcrypt(stored: string): boolean {
  return BCRYPT.test(stored) && !isCostlyPassword(stored)
}

/**
 * Verifies in a thread of its own, because bcrypt in JavaScript would block the event loop for a tenth of a
 * second. It happens once per imported user, so the thread ends afterwards.
 */
export function verifyBcrypt(password: string, stored: string): Promise<boolean> {
  const thread = new Worker(new URL('./bcrypt-thread.ts', import.meta.url), {
    workerData: { password, stored },
    name: 'bcrypt',
  })
  return new Promise((resolve, reject) => {
    thread.once('message', (isRight: unknown) => resolve(isRight === true))
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('the bcrypt thread has ended without an answer')))
  })
}
