import { taskActionText, taskReasonText } from '@tollgate/contract/task-words'
import { currentLanguage } from '../i18n/language.ts'

/** The action of a task, in the current language. */
export function actionText(action: string): string {
  return taskActionText(action, currentLanguage())
}

/** The failure reason of a task; reasons written by the gateway are translated to the current language. */
export function reasonText(reason: string): string {
  return taskReasonText(reason, currentLanguage())
}
