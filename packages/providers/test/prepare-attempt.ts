import type { Found } from '../src/define/needs.ts'
import type { AttemptInput } from '../src/prepare/attempt-input.ts'
import { openAttempt, type PreparedAttempt } from '../src/prepare/index.ts'

/** Builds everything that one attempt sends, with what a test says was looked up. */
export function prepareAttempt(given: AttemptInput, found?: Found): PreparedAttempt {
  return openAttempt(given).prepare(found)
}
