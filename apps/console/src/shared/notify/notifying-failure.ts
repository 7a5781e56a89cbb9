import { failureText } from '../api/failure.ts'
import { notifyFailure } from './notify.ts'

/** Runs an action; its failure is shown as a message. */
export async function orNotify(action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    notifyFailure(failureText(error))
  }
}

/** A handler for a click; a failure of the action is shown as a message. */
export function notifyingFailure(action: () => Promise<unknown>): () => void {
  return () => void orNotify(action)
}
