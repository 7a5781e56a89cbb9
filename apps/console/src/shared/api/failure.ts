import { ApiError } from '@tollgate/contract/client'
import { sharedMessages } from '../i18n/shared-messages.ts'

/** The cause of a failure, which determines the text and the button of an error state. */
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

/** A validation error by a form itself, whose message is shown unchanged. */
export class FormRefusal extends Error {}

/** The sentence that describes a failed call, in the reader's language. */
export function failureText(error: unknown): string {
  if (error instanceof FormRefusal) return error.message
  const { t } = sharedMessages
  const kind = failureKind(error)
  if (kind === 'refused' && error instanceof ApiError && error.message !== '') return error.message
  if (kind === 'refused' || kind === 'unknown') return t('failure.other', { message: textOf(error) })
  return t(`failure.${kind}`)
}

/** Whether a retry may help, because the call was not refused. */
export function isWorthRetrying(error: unknown): boolean {
  const kind = failureKind(error)
  return kind === 'network' || kind === 'server'
}

function textOf(error: unknown): string {
  if (error instanceof ApiError) return `HTTP ${error.status}`
  return error instanceof Error ? error.message : String(error)
}
