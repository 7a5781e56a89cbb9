import { failureText } from '../api/failure.ts'
import { notifyFailure } from './notify.ts'

/** A handler for a click; a failure of the action is shown as a message. */
export function notifyingFailure(action: () => Promise<unknown>): () => void {
  return () => {
    action().catch((error: unknown) => notifyFailure(failureText(error)))
  }
}
