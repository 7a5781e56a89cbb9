import { taskActionText, taskReasonText } from '@tollgate/contract/task-words'
import { currentLanguage } from '../i18n/language.ts'

/** What a task was asked to do, in the language on screen. */
export function actionText(action: string): string {
  return taskActionText(action, currentLanguage())
}

/** Why a task failed, in the language on screen where the reason is one of the gateway's own. */
export function reasonText(reason: string): string {
  return taskReasonText(reason, currentLanguage())
}
