import { ApiError } from '@tollgate/contract/client'
import { sharedMessages } from '../i18n/shared-messages.ts'

/** Whose turn it is after a failure, for the words and the button of an error state. */
export type FailureKind = 'refused' | 'sessionOver' | 'tooMany' | 'server' | 'demo' | 'network' | 'unknown'

export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof ApiError)) return 'unknown'
  if (error.status === 0) return 'network'
  if (error.status === 401) return 'sessionOver'
  if (error.status === 405) return 'demo'
  if (error.status === 429) return 'tooMany'
  if (error.status >= 500) return 'server'
  return 'refused'
}

/** A sentence that a form says to its reader about what was entered, shown as it is. */
export class FormRefusal extends Error {}

/** The one sentence shown for a failed call, in the reader's language. */
export function failureText(error: unknown): string {
  if (error instanceof FormRefusal) return error.message
  const { t } = sharedMessages
  const kind = failureKind(error)
  if (kind === 'refused' && error instanceof ApiError && error.message !== '') return error.message
  if (kind === 'refused' || kind === 'unknown') return t('failure.other', { message: textOf(error) })
  return t(`failure.${kind}`)
}

/** Asking again may help: nothing was refused. */
export function isWorthRetrying(error: unknown): boolean {
  const kind = failureKind(error)
  return kind === 'network' || kind === 'server'
}

function textOf(error: unknown): string {
  if (error instanceof ApiError) return `HTTP ${error.status}`
  return error instanceof Error ? error.message : String(error)
}
